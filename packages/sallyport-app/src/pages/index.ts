/** What all pages of an application have in common, whatever is on them: answers for programs, redirects, caching, cookies. @module */
export { keepLanguage, UseChosenLanguage } from './chosen-language.ts'
export { cookieName, hostCookieName } from './cookie-names.ts'
export { JsonRedirects } from './json-redirects.ts'
export { MovedPaths, type MovedTo } from './moved-paths.ts'
export { NoStore } from './no-store.ts'
export { requiresLogin, type ReturnRoutes, ReturnTargets } from './return-targets.ts'
