/** Environment variables and their checks: what is malformed or missing is said in one line, before anything is opened. @module */
export { type Listening, localUrl } from './local-url.ts'
export { readServerSettings, type ServerSettings } from './server-settings.ts'
export { codeOf, reasonOf, StartupError } from './startup-error.ts'
export { readNumber, readSwitch, readVariable, type Variable, type Variables } from './variables.ts'
