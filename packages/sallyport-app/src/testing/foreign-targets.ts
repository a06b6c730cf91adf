/** Addresses that must never become the target of a redirect. @module */

const EVIL = 'evil.test'

// How an address of another host is begun.
const BEGINNINGS = [
  '//',
  '///',
  '////',
  '/\\',
  '\\/',
  '\\\\',
  '/\\/',
  '\\/\\/',
  '/ /',
  '/\t/',
  '/\n/',
  '/\r\n/',
  '\t//',
  ' //',
  '\u0000//',
  '\u0001//',
  '\u00a0//',
  '\u3000//',
  '\ufeff//',
  '/%09/',
  '/%0a/',
  '/%0d/',
  '/%00/',
  '/%20/',
  '/%2f/',
  '/%2F%2F',
  '/%5c',
  '/%5C%5C',
  '/%252f%252f',
  '/%255c',
  '/%252f%255c',
  '/.//',
  '/..//',
  '/%2e//',
  '/%2e%2e//',
  '/%2e%2e%2f%2f',
  '/./\\',
  '/;//',
  '/?//',
  '/#//',
  '/〱',
  '/／／',
  '／／',
  '/。//',
  'http://',
  'https://',
  'HTTPS://',
  'https:/',
  'https:',
  'https:\\\\',
  'https:/\\',
  'https:///',
  'https:////',
  'ht\ttps://',
  'h\nttps://',
  ' https://',
  '\thttps://',
  '%68ttps://',
  'https%3a%2f%2f',
  'https&colon;//',
  'ftp://',
  'ws://',
  'blob:https://',
  'view-source:https://',
  'jar:https://',
]

const SCRIPTS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript://%0aalert(1)',
  'javascript://app.test/%0aalert(1)',
  '/javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'about:blank',
  'file:///etc/passwd',
  'mailto:a@evil.test',
  'intent://evil.test#Intent;end',
]

// Hosts that look like the own one: a user name, a subdomain, a port, a path that names it.
function lookalikes({ host, page }: OwnPage): readonly string[] {
  return [
    `https://${host}@evil.test`,
    `https://${host}:443@evil.test/`,
    `https://${host}%40evil.test`,
    `https://${host}.evil.test${page}`,
    `https://${host}evil.test${page}`,
    `https://evil.test/${host}`,
    `https://evil.test?${host}${page}`,
    `https://evil.test#${host}${page}`,
    `https://evil.test\\${host}${page}`,
    `https://evil.test\\@${host}${page}`,
    `https://evil.test;${host}${page}`,
    `https://${host}:444${page}`,
    `http://${host}${page}`,
    `https://${host}${page}`,
    `//${host}${page}`,
    `//${host}@evil.test${page}`,
    `//${host}%2f@evil.test${page}`,
    `//evil%E3%80%82test${page}`,
    `//evil。test${page}`,
    `//2130706433${page}`,
    `//0x7f000001${page}`,
    `//[::1]${page}`,
    `//⑯⑨。②⑤④${page}`,
    `@evil.test${page}`,
    ':80@evil.test',
    '.evil.test',
    'evil.test',
    page.slice(1),
    `.${page}`,
    `..${page}`,
  ]
}

// The own page, spelled so that one reader sees another path than the next.
function spellings({ page }: OwnPage): readonly string[] {
  return [
    page.toUpperCase(),
    `${page}/`,
    `${page}//`,
    `${page}/../logout`,
    `${page}/./logout`,
    `${page}/%2e%2e/logout`,
    `${page}/%2e%2e%2flogout`,
    `${page}%2f..%2flogout`,
    `${page}\\..\\logout`,
    `${page}%00`,
    `${page}\r\nset-cookie:a=b`,
    `${page}%0d%0aset-cookie:a=b`,
    `${page}%0d%0a%0d%0a<script>`,
    `${page}?next=%0d%0aset-cookie:a=b`,
    `${page}\u2028`,
    `${page}\ud800`,
    `${page}%`,
    `${page}%zz`,
    `${page}%c0%af`,
    page.replace(/^\/./, (start) => `/%${start.charCodeAt(1).toString(16)}`),
    `${page}?${'x'.repeat(2048)}`,
  ]
}

/** A page of an application, to which a login may lead. */
export interface OwnPage {
  /** Host of the application. */
  readonly host: string
  /** Path of the page. */
  readonly page: string
}

/**
 * Lists addresses that must never become the target of a redirect after a login: the classes that are published in lists of open
 * redirects (OWASP Unvalidated Redirects and Forwards, CWE-601, the WHATWG URL parser's leniencies).
 *
 * @param own The page to which a login may lead: the addresses look like it.
 * @returns The addresses.
 */
export function foreignTargets(own: OwnPage): readonly string[] {
  const abroad = BEGINNINGS.flatMap((beginning) => [
    `${beginning}${EVIL}`,
    `${beginning}${EVIL}${own.page}`,
    `${beginning}${EVIL}/%2f..`,
    `${own.page}${beginning}${EVIL}`,
  ])
  return [
    // A query and a fragment are the own page.
    ...abroad.filter((target) => !target.startsWith(`${own.page}?`) && !target.startsWith(`${own.page}#`)),
    ...SCRIPTS,
    ...lookalikes(own),
    ...spellings(own),
  ]
}
