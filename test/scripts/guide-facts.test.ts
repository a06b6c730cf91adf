import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as http from 'sallyport/http'
import { SessionPolicy } from 'sallyport/session'
import { postgresSessionSchema } from 'sallyport/session/postgres'

import {
  CHALLENGE_ATTEMPTS,
  CLIENT_LIMIT,
  FACTOR_LIMIT,
  PASSWORD_LIMIT,
  PENDING_LOGIN_SECONDS,
} from '../../starter/core/limits/limits.ts'
import { DEFAULT_LIMITS } from '../../src/http/request-source.ts'
import { DEFAULT_INPUT_LIMITS } from '../../src/input/input-limits.ts'
import { extractFiles, listGuides, read, root } from './guide-code.ts'

const GUIDES = listGuides()

// Names of other packages, where no example uses them.
const FOREIGN: ReadonlySet<string> = new Set([
  'allowImportingTsExtensions',
  'checkOrigin',
  'createSentinel',
  'networkInterfaces',
  'noEmit',
  'skipTrailingSlashRedirect',
  'toJSONSchema',
  'withCredentials',
])

// Classes of which a guide names every method.
const CALLED: ReadonlySet<string> = new Set([
  'App',
  'AppConfiguration',
  'AppHooks',
  'Authentication',
  'Controller',
  'Cookies',
  'Csrf',
  'Flash',
  'Form',
  'HttpContext',
  'MiddlewareBands',
  'Module',
  'PasswordHasher',
  'PermissionSet',
  'RequestContext',
  'RouteDeclaration',
  'Routes',
  'Session',
  'SessionAuthentication',
  'TestClient',
])

function sourcesBelow(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|edge|mjs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
}

// Rows of a table below a heading, as the texts of their cells.
function tableBelow(guide: string, heading: string): string[][] {
  const [, rest = ''] = read(guide).split(`\n${heading}\n`)
  const table = /^(\|.*\n)+/m.exec(rest)?.[0] ?? ''
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.slice(2, -2).split(' | '))
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function optionsOf(path: string, type: string): string[] {
  const [, body = ''] = new RegExp(`interface ${type}[^{]*\\{([^]*?)^\\}`, 'm').exec(read(path)) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name)
}

describe('the facts in the guides', () => {
  it('name only what is in the sources', () => {
    const sources = ['src', 'packages/sallyport-app/src', 'starter', 'examples', 'scripts', 'test/types']
      .map(sourcesBelow)
      .join('')
    const unknown = GUIDES.flatMap((guide) => {
      const text = read(guide)
      const code = [...text.matchAll(/^```[^]*?^```/gm)].join('\n')
      const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/\]\([^)]*\)/g, ']')
      const names = new Set(
        namesIn(prose).flatMap(
          (span) => span.match(/\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,})\b/g) ?? [],
        ),
      )
      return [...names]
        .filter(
          (name) => !new RegExp(`\\b${name}\\b`).test(sources) && !new RegExp(`\\b${name}\\b`).test(code),
        )
        .filter((name) => !(name in globalThis) && !FOREIGN.has(name))
        .map((name) => `${guide}: ${name}`)
    })

    assert.deepEqual(unknown, [])
  })

  it('name every method that applications call', () => {
    const classes = [
      ...read('test/scripts/fixture/api-surface.md').matchAll(
        /^(?:abstract )?(?:class|interface) (\w+).*\{\n([^]*?)^\}/gm,
      ),
    ]
    const text = GUIDES.map(read).join('\n')

    const unnamed = classes
      .filter(([, name = '']) => CALLED.has(name))
      .flatMap(([, name = '', body = '']) =>
        [...body.matchAll(/^ {4}(?:static |abstract |protected )*(?:get )?(\w+)[(<:]/gm)]
          .map(([, method = '']) => method)
          .filter((method) => method !== 'constructor' && !new RegExp(`\\b${method}\\b[(<\`]`).test(text))
          .map((method) => `${name}.${method}`),
      )

    assert.deepEqual([...new Set(unnamed)], [])
    assert.deepEqual(
      [...CALLED].filter((name) => !classes.some(([, declared]) => declared === name)),
      [],
    )
  })

  it('name commands that exist', () => {
    const manifests = [
      JSON.parse(read('package.json')),
      JSON.parse(extractFiles(read('docs/tutorial.md'))['package.json'] ?? ''),
    ]
    const scripts = new Set(
      manifests.flatMap((manifest: { scripts: object }) => Object.keys(manifest.scripts)),
    )

    const unknown = GUIDES.flatMap((guide) =>
      [...read(guide).matchAll(/\bnpm run ([\w:-]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !scripts.has(name))
        .map((name) => `${guide}: ${name}`),
    )

    assert.deepEqual(unknown, [])
  })

  it('name files of the checkout that exist', () => {
    const missing = GUIDES.flatMap((guide) => {
      const isOfStarter = guide.startsWith('starter/')
      const path = isOfStarter
        ? /^[a-z]+\/[\w./-]+$/
        : /^(src|starter|examples|docs|test|scripts|bench)\/[\w./-]+$/
      return namesIn(read(guide).replaceAll(/^```[^]*?^```/gm, ''))
        .filter(
          (name) =>
            path.test(name) && !Object.keys(extractFiles(read(guide))).some((file) => file.startsWith(name)),
        )
        .filter((name) => !existsSync(join(root, isOfStarter ? 'starter' : '', name)))
        .map((name) => `${guide}: ${name}`)
    })

    assert.deepEqual(missing, [])
  })

  it('name every command and option of the command line, and no other', () => {
    const { 1: help = '' } = /HELP = `([^`]*)`/.exec(read('src/cli/command-line.ts')) ?? []
    const guide = read('docs/cli.md')
    const options = (text: string): Set<string> => new Set(text.match(/--[a-z]+\b/g) ?? [])

    assert.deepEqual(
      [...options(help)].filter((name) => name !== '--help' && !guide.includes(name)),
      [],
    )
    assert.deepEqual(
      [...options(guide)].filter((name) => !options(help).has(name)),
      [],
    )
    for (const { 1: command = '' } of help.matchAll(/^ {2}([a-z]+)/gm))
      assert.ok(guide.includes(`| \`${command}`), command)
  })

  it('name every finding of sallyport check', () => {
    const { 1: union = '' } =
      /type FindingCode =([^]*?)\n\n/.exec(read('src/inspection/audit/finding.ts')) ?? []
    const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code)
    const guide = read('docs/cli.md')

    assert.ok(codes.length > 10)
    assert.deepEqual(
      codes.filter((code) => !guide.includes(`\`${code}\``)),
      [],
    )
  })

  it('name every channel of security events', () => {
    const channels = [
      ...read('src/core/security-events.ts').matchAll(/channel\('(sallyport:[a-z-]+)'\)/g),
    ].map(([, name = '']) => name)

    assert.notEqual(channels.length, 0)
    assert.deepEqual(
      tableBelow('docs/application.md', '## Security events')
        .flatMap(([cell = '']) => namesIn(cell))
        .toSorted(),
      channels.toSorted(),
    )
  })

  it('give each exception its status and its code', () => {
    const created: Readonly<Record<string, http.HttpException>> = {
      RedirectException: new http.RedirectException('/'),
      BadRequestException: new http.BadRequestException(),
      InvalidMethodOverrideException: new http.InvalidMethodOverrideException(),
      UnauthorizedException: new http.UnauthorizedException('Bearer'),
      ForbiddenException: new http.ForbiddenException(),
      NotFoundException: new http.NotFoundException(),
      MethodNotAllowedException: new http.MethodNotAllowedException(['GET']),
      PayloadTooLargeException: new http.PayloadTooLargeException(),
      UnsupportedMediaTypeException: new http.UnsupportedMediaTypeException(),
      TooManyRequestsException: new http.TooManyRequestsException(1),
      ServiceUnavailableException: new http.ServiceUnavailableException(),
    }
    const exported = Object.keys(http).filter(
      (name) => name.endsWith('Exception') && name !== 'HttpException',
    )

    const rows = tableBelow('docs/http.md', '## Refuse a request').map(
      ([name = '', status = '', code = '']) => [
        name.replaceAll(/[`]|\(.*/g, ''),
        Number.parseInt(status, 10),
        code.replaceAll('`', ''),
      ],
    )

    assert.deepEqual(Object.keys(created).toSorted(), exported.toSorted())
    assert.deepEqual(
      rows,
      Object.entries(created).map(([name, { status, code }]) => [name, status, code]),
    )
  })

  it('name every code of refusals', () => {
    const { 1: union = '' } = /type HttpErrorCode =([^]*?)\n\n/.exec(read('src/http/http-exception.ts')) ?? []
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code)
    const guide = read('docs/http.md')

    assert.ok(codes.length > 10)
    assert.deepEqual(
      codes.filter((code) => !guide.includes(`\`${code}\``)),
      [],
    )
  })

  it('name every code of mistakes in routes', () => {
    const { 1: union = '' } =
      /type RoutingErrorCode =([^]*?)\n\n/.exec(read('src/routing/routing-exception.ts')) ?? []
    const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code)

    const listed = tableBelow('docs/routing.md', '## Errors').flatMap(([cell = '']) => namesIn(cell))

    assert.deepEqual(listed.toSorted(), codes.toSorted())
  })

  it('list the options of serve()', () => {
    const listed = tableBelow('docs/node.md', '## Options').flatMap(([name = '']) => namesIn(name))

    assert.deepEqual(listed, optionsOf('src/node/serve-options.ts', 'ServeOptions'))
  })

  it('list the options of a cookie', () => {
    const listed = tableBelow('docs/http.md', '## Cookies').flatMap(([name = '']) => namesIn(name))

    assert.deepEqual(listed, optionsOf('src/http/cookies.ts', 'CookieOptions'))
  })

  it('list the options of a session policy with their defaults', () => {
    const policy = new SessionPolicy()
    const defaults = {
      idleSeconds: policy.idleMilliseconds / 1000,
      absoluteSeconds: policy.absoluteMilliseconds / 1000,
      cookieName: policy.cookieNameAt('http://app.test'),
      area: policy.area,
      sameSite: policy.sameSite,
      maxBytes: policy.maxBytes,
      storeTimeoutMilliseconds: policy.storeTimeoutMilliseconds,
    }
    const rows = tableBelow('docs/session.md', '## Lifetimes').map(([name = '', , value = '']) => [
      name.replaceAll('`', ''),
      value.replaceAll('`', ''),
    ])

    assert.deepEqual(
      Object.fromEntries(rows),
      Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, String(value)])),
    )
    assert.deepEqual(
      Object.keys(defaults),
      optionsOf('src/session/session-policy.ts', 'SessionPolicyOptions'),
    )
  })

  it('list the limits of input with their defaults', () => {
    const limits = { ...DEFAULT_LIMITS, ...DEFAULT_INPUT_LIMITS, handlerMilliseconds: 'none' }
    const rows = tableBelow('docs/input.md', '## Limits').map(([name = '', , value = '']) => [
      name.replaceAll('`', ''),
      value.replace(/ .*/, ''),
    ])

    assert.deepEqual(
      Object.fromEntries(rows),
      Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
    )
  })

  it('show the schema of the session table as it is', () => {
    const [, block = ''] = /^```sql\n([^]*?)^```/m.exec(read('docs/session-stores.md')) ?? []

    assert.equal(block.trim().replaceAll(/\s+/g, ' '), postgresSessionSchema().trim().replaceAll(/\s+/g, ' '))
  })

  it('name every variable of the starter', () => {
    const variables = [
      ...[
        read('packages/sallyport-app/src/settings/server-settings.ts'),
        read('starter/core/boot/environment.ts'),
        sourcesBelow('starter/parts'),
      ]
        .join('')
        .matchAll(/\b(?:environment|variables|env)(?:\.|\[')([A-Z_]+)\b|\bread\('([A-Z_]+)'/g),
    ].map(([, named, read]) => named ?? read ?? '')
    const readmes = globSync('starter/parts/*/README.md', { cwd: root }).filter((path) =>
      read(path).includes('\n## Settings\n'),
    )
    const listed = [
      tableBelow('starter/docs/configuration.md', '## Environment'),
      ...readmes.map((path) => tableBelow(path, '## Settings')),
    ].flatMap((rows) => rows.flatMap(([cell = '']) => namesIn(cell)))

    assert.notEqual(variables.length, 0)
    assert.deepEqual([...new Set(variables)].toSorted(), listed.toSorted())
  })

  it('give the limits of the starter', () => {
    const limits = Object.fromEntries(
      tableBelow('starter/docs/limits.md', '## Limits').map(([what = '', limit = '']) => [what, limit]),
    )
    const inWords = ({ failures, windowSeconds }: typeof FACTOR_LIMIT): string =>
      `${failures} in ${windowSeconds / 60} minutes`

    assert.equal(limits['pending login'], `${PENDING_LOGIN_SECONDS} seconds`)
    assert.equal(limits['codes against one pending login'], String(CHALLENGE_ATTEMPTS))
    assert.equal(limits['failed codes of one account'], inWords(FACTOR_LIMIT))
    assert.equal(limits['failed passwords for one address'], inWords(PASSWORD_LIMIT))
    assert.equal(limits['failed passwords from one client'], inWords(CLIENT_LIMIT))
  })
})
