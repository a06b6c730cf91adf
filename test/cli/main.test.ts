import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { FOLDER, sallyport } from './fixture/run.ts'

const STARTER = fileURLToPath(new URL('../../starter/', import.meta.url))
const APPLICATION = ['--app', 'application.ts']

describe('sallyport routes', () => {
  it('lists each URL of tables, claims, groups, convention and resolvers, once for each locale', async () => {
    const { code, out } = await sallyport(['routes', ...APPLICATION])

    assert.equal(code, 0)
    const lines = out.split('\n').map((line) => line.split(/ {2,}/))
    assert.deepEqual(lines[0], ['METHOD', 'PATH', 'LOCALE', 'ACTION', 'NAME', 'MIDDLEWARES', 'MODULE'])
    for (const row of [
      [
        'GET|HEAD',
        '/fr/boutique/produit/{slug}',
        'fr',
        'ProductController::show',
        'shop:product',
        'Audit',
        'Shop',
      ],
      ['GET|HEAD', '/en/news/{year}-{month}', 'en', 'NewsController::day', 'shop:day', 'Audit', 'Shop'],
      [
        'GET|HEAD',
        '/en/shop/admin/orders',
        'en',
        'OrderController::index',
        'shop:orders',
        'Audit, StaffOnly',
        'Shop',
      ],
      [
        'POST',
        '/fr/boutique/product/stock/{id}/{now?}',
        'fr',
        'ProductController::stockPost',
        'Audit',
        'Shop',
      ],
      ['*', '/*', 'PageResolver (resolver, priority 500)', 'Site'],
    ]) {
      assert.ok(
        lines.some((line) => line.join('|') === row.join('|')),
        row.join('|'),
      )
    }
  })

  it('filters by module, method and path', async () => {
    const filters = ['--module', 'shop', '--method', 'post', '--path', '/fr/']
    const { out } = await sallyport(['routes', ...APPLICATION, ...filters])

    const [, ...rows] = out.trimEnd().split('\n')
    assert.equal(rows.length, 1)
    assert.match(rows[0] ?? '', /^POST +\/fr\/boutique\/product\/stock/)
  })

  it('prints JSON for programs', async () => {
    const { out } = await sallyport(['routes', ...APPLICATION, '--path', 'item', '--json'])

    const [route, ...more] = JSON.parse(out) as Record<string, unknown>[]
    assert.deepEqual(more, [])
    assert.equal(route?.['name'], 'shop:item')
    assert.deepEqual(route?.['parameters'], [
      {
        name: 'id',
        kind: 'int',
        typescript: 'number | bigint',
        isRest: false,
        isList: false,
        isOptional: true,
        constraint: null,
      },
    ])
    assert.match(String(route?.['source']), /application\.ts:\d+$/)
  })

  it('fits a narrow terminal', async () => {
    const { out } = await sallyport(['routes', ...APPLICATION], { env: { COLUMNS: '100' } })

    assert.ok(out.split('\n').every((line) => Array.from(line).length <= 100))
    assert.match(out, /…/)
  })
})

describe('sallyport routes --types --check', () => {
  it('reports whether the file is up to date, and writes nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-types-'))
    const file = join(folder, 'urls.d.ts')
    const app = ['--app', join(FOLDER, 'application.ts')]
    const check = (...more: string[]): ReturnType<typeof sallyport> =>
      sallyport(['routes', '--types', '--check', ...app, ...more], { cwd: folder })
    try {
      const missing = await check()
      await sallyport(['routes', '--types', '--out', 'urls.d.ts', ...app], { cwd: folder })
      const fresh = await check('--out', 'urls.d.ts')
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, text.replaceAll('\n', '\r\n'))
      const checkedOut = await check('--out', 'urls.d.ts')
      writeFileSync(file, text.replace('shop:item', 'shop:thing'))
      const stale = await check('--out', 'urls.d.ts')

      assert.deepEqual([missing.code, fresh.code, checkedOut.code, stale.code], [1, 0, 0, 1])
      assert.equal(missing.out, 'routes.d.ts is not there: write it with "sallyport routes --types"\n')
      assert.equal(fresh.out, 'urls.d.ts is up to date\n')
      assert.equal(
        stale.out,
        'urls.d.ts is out of date: write it with "sallyport routes --types --out urls.d.ts"\n',
      )
      assert.match(readFileSync(file, 'utf8'), /shop:thing/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the files that sallyport reads and writes', () => {
  it('are made with their folder, and say why if they cannot be', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-files-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const app = ['--app', join(FOLDER, 'application.ts')]
    const types = (...more: string[]) => sallyport(['routes', '--types', ...app, ...more], { cwd: folder })
    writeFileSync(join(folder, 'taken'), '')

    const made = await types('--out', 'src/types/routes.d.ts')
    const isFolder = await types('--out', 'src')
    const isBelowFile = await types('--out', 'taken/routes.d.ts')
    const compared = await types('--check', '--out', 'src')
    const empty = await types('--check', '--out', 'taken')

    assert.deepEqual([made.code, made.out], [0, 'src/types/routes.d.ts: 9 names, 2 locales\n'])
    assert.match(readFileSync(join(folder, 'src/types/routes.d.ts'), 'utf8'), /RegisteredRoutes/)
    for (const [{ code, error }, file, what] of [
      [isFolder, 'src', 'written'],
      [isBelowFile, 'taken/routes.d.ts', 'written'],
      [compared, 'src', 'read'],
    ] as const) {
      assert.equal(code, 2)
      assert.ok(error.includes(`${join(folder, file)} cannot be ${what}: `), error)
      assert.equal(error.trimEnd().split('\n').length, 1)
    }
    assert.deepEqual([empty.code, empty.out.includes('is out of date')], [1, true])
  })

  it('may be a package.json with a byte order mark, and an application that is no file is told', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-files-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const manifest = join(folder, 'package.json')
    const asked = async () => sallyport(['routes', '--types', '--out', '-'], { cwd: folder })

    writeFileSync(manifest, `\ufeff${JSON.stringify({ sallyport: { app: join(FOLDER, 'application.ts') } })}`)
    const marked = await asked()
    writeFileSync(manifest, JSON.stringify({ sallyport: { app: '.' } }))
    const noFile = await asked()
    writeFileSync(manifest, '')
    const empty = await asked()

    assert.equal(marked.code, 0)
    assert.deepEqual([noFile.code, empty.code], [2, 2])
    assert.match(noFile.error, /is not a file: name the one that exports the application/)
    assert.match(empty.error, /package\.json cannot be read/)
  })
})

describe('sallyport explain', () => {
  it('shows locale, claim, candidates and the final middlewares', async () => {
    const { code, out } = await sallyport(['explain', 'get', '/en/news/2026-11?page=2', ...APPLICATION])

    assert.equal(code, 0)
    assert.match(
      out,
      /^GET \/en\/news\/2026-11\n1\. locale: en, by the prefix\n2\. claim \/en\/news of module "Shop"/,
    )
    assert.match(out, /→ GET \/\{year\}-\{month\} \(application\.ts:\d+\): wins/)
    assert.match(out, /= NewsController::day\(2026, 11\) of module "Shop"\n {2}name: day\n {2}locale: en/)
    assert.match(out, /middlewares: Audit$/m)
  })

  it('shows why each candidate lost', async () => {
    const { out } = await sallyport(['explain', 'GET', '/en/shop/product/A1', ...APPLICATION])

    assert.match(out, /"A1" does not match where\("slug", "\[a-z-\]\+"\)/)
    assert.match(out, /is the path in fr/)
    assert.match(out, /convention of module "Shop" .*: does not know it/)
    assert.match(out, /= 404, nothing answers/)
  })

  it('shows a value that does not match its type', async () => {
    const { out } = await sallyport(['explain', 'GET', '/en/shop/item/seven', ...APPLICATION])

    assert.match(out, /"seven" is not a valid int for "id"/)
  })

  it('explains the path as a client sends it, and sends no control character to the terminal [HOLD-35]', async () => {
    const { code, out } = await sallyport(['explain', 'GET', '/en/shop/été "x"\u001b[2J', ...APPLICATION])
    const misused = await sallyport(['explain', 'GET', 'shop\u001b[2J\n', ...APPLICATION])

    assert.equal(code, 0)
    assert.match(out, /GET \/en\/shop\/%C3%A9t%C3%A9%20%22x%22%1B\[2J/)
    assert.match(out, /400|malformed/)
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(out + misused.error, /\u001b/)
  })

  it('shows the causes of a redirect', async () => {
    const { out } = await sallyport(['explain', 'GET', '/Shop/item/7/', ...APPLICATION])

    assert.match(out, /the canonical spelling is \/en\/shop\/item\/7: the locale prefix is missing/)
    assert.match(out, /URLs end without a slash/)
    assert.match(out, /= 308 redirect to \/en\/shop\/item\/7/)
  })

  it('awaits resolvers', async () => {
    const { out } = await sallyport(['explain', 'GET', '/imprint', '--json', ...APPLICATION])

    const { result, steps } = JSON.parse(out) as {
      result: Record<string, unknown>
      steps: readonly { kind: string; text: string }[]
    }
    assert.equal(result['action'], 'PageController::show')
    assert.ok(steps.some(({ kind, text }) => kind === 'resolver' && text.includes('PageResolver')))
  })
})

describe('sallyport check', () => {
  it('finds nothing wrong with a valid application', async () => {
    const { code, out } = await sallyport(['check', ...APPLICATION])

    assert.equal(code, 0)
    assert.match(out, /16 URLs generated and matched again: 0 faults, 1 note$/m)
  })

  it('finds nothing in the starter', async () => {
    const { code, out } = await sallyport(['check', '--app', 'sallyport.ts'], { cwd: STARTER })

    assert.equal(code, 0)
    const [, routes, urls] =
      /^(\d+) routes, (\d+) URLs generated and matched again: 0 faults, \d+ notes\n$/m.exec(out) ?? []
    // Words beside a token, and pages that are left to their resolver, are meant.
    const kinds = out.match(/^(?:note|fault) +\S+/gm)?.map((line) => line.replace(/ +/, ' '))
    assert.deepEqual([...new Set(kinds)], ['note shadowed-by-specificity', 'note left-to-resolvers'])
    assert.ok(Number(routes) > 20, out)
    assert.equal(urls, routes)
  })

  it('finds each fault and ends with 1', async () => {
    const { code, out } = await sallyport(['check', '--app', 'faulty.ts', '--json'])

    assert.equal(code, 1)
    const { findings } = JSON.parse(out) as { findings: readonly Record<string, string>[] }
    assert.deepEqual(
      findings.map((finding) => `${finding['code']} ${finding['example']}`),
      [
        'unreachable-route GET /users/me',
        'unreachable-route GET /users/aa/y',
        'ambiguous-routes GET /users/g/x',
        'duplicate-name null',
        'unreachable-action null',
      ],
    )
  })

  it('reports an application that does not boot: what is wrong and where [HOLD-35]', async () => {
    const { code, out, error } = await sallyport(['check', '--app', 'broken.ts'])
    const { out: json } = await sallyport(['check', '--app', 'undeclared.ts', '--json'])

    assert.equal(code, 1)
    assert.equal(error, '')
    assert.match(
      out,
      /^fault does-not-boot Cannot mount module "Store" .*mount one elsewhere\n.*: 1 fault\n$/,
    )
    const { findings } = JSON.parse(json) as { findings: Record<string, unknown>[] }
    assert.deepEqual(
      findings.map((finding) => finding['code']),
      ['does-not-boot'],
    )
    assert.match(String(findings[0]?.['message']), /module "Shop" .*claim .*undefined.*undeclared\.ts:\d+\)$/)
  })

  it('fails when the file of the application ends the process [HOLD-35]', async () => {
    for (const [command, status] of [
      ['check', 0],
      ['check', 3],
      ['routes', 0],
    ] as const) {
      const env = { EXIT_WITH: String(status) }
      const { code, out, error } = await sallyport([command, '--app', 'exiting.ts'], { env })

      assert.deepEqual([code, out], [status === 0 ? 1 : status, ''])
      assert.match(
        error,
        new RegExp(`^sallyport: the application ended the process \\(exit code ${status}\\).*\n$`),
      )
    }
  })

  it('lets other commands end with 1 and one line, whatever is wrong with a declaration [HOLD-35]', async () => {
    for (const command of [['routes'], ['explain', 'GET', '/']]) {
      for (const [file, reason] of [
        ['broken.ts', /^sallyport: Cannot mount module "Store" .*mount one elsewhere\n$/],
        ['undeclared.ts', /^sallyport: Cannot configure module "Shop" .*undeclared\.ts:\d+\)\n$/],
        ['unrouted.ts', /^sallyport: Cannot compile the routes of module "Shop" .*unrouted\.ts:\d+\)\n$/],
      ] as const) {
        const { code, out, error } = await sallyport([...command, '--app', file])

        assert.deepEqual([code, out], [1, ''])
        assert.match(error, reason)
      }
    }
    const { code, out } = await sallyport(['check', '--app', 'unrouted.ts'])
    assert.equal(code, 1)
    assert.match(out, /^fault does-not-compile Cannot compile .*CONNECT.*unrouted\.ts:\d+\)/)
  })
})

describe('the command line', () => {
  for (const [args, message] of [
    [[], 'name a command'],
    [['rutes'], 'there is no command "rutes"'],
    [['routes', '--nothing'], '--nothing'],
    [['routes', '--check'], '--check goes with --types'],
    [['routes', '--out', 'x'], '--out goes with --types'],
    [['routes', '--types', '--check', '--out', '-'], '--check compares a file'],
    [['routes', '--types', '--json'], 'leave --json and filters away'],
    [['check', '--check'], '"check" has no option --check'],
    [['explain', 'GET', 'shop'], 'is not a path'],
    [['explain', 'G3T', '/shop'], 'is not an HTTP method'],
    [['check', 'shop'], 'takes no "shop"'],
    [['explain', 'GET'], 'takes a method and a path'],
    [['routes', '--app', 'nothing.ts'], 'there is no file'],
    [['routes', '--app', 'run.ts'], 'exports no application'],
  ] as const) {
    it(`responds to ${JSON.stringify(args)} with one line and 2`, async () => {
      const { code, out, error } = await sallyport(args)

      assert.equal(code, 2)
      assert.equal(out, '')
      assert.ok(error.includes(message), error)
      assert.equal(error.trimEnd().split('\n').length, 1)
    })
  }

  it('prints help', async () => {
    const { code, out } = await sallyport(['--help'])

    assert.equal(code, 0)
    assert.match(out, /^Usage: sallyport/)
  })

  it('uses the application that the nearest package.json names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-cli-'))
    try {
      const manifest = { sallyport: { app: join(FOLDER, 'application.ts') } }
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))

      const { code, out } = await sallyport(['routes', '--types'], { cwd: folder })

      assert.equal(code, 0)
      assert.equal(out, 'routes.d.ts: 9 names, 2 locales\n')
      assert.match(readFileSync(join(folder, 'routes.d.ts'), 'utf8'), /^ {4}'shop:item': Values\d+$/m)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('ends silently when its reader has seen enough', async () => {
    const { code, error } = await sallyport(['routes', ...APPLICATION], { closesOutput: true })

    assert.equal(error, '')
    assert.equal(code, 0)
  })

  it('keeps colors out of pipes and shows them on request', async () => {
    const plain = await sallyport(['check', ...APPLICATION])
    const coloured = await sallyport(['check', ...APPLICATION], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })

    assert.ok(!plain.out.includes('\u001b['))
    assert.ok(coloured.out.includes('\u001b['))
  })
})

describe('the application of a command', () => {
  it('a close hook that never ends does not block the command [HOLD-52]', async () => {
    const { code, error } = await sallyport(['routes', '--app', 'hanging.ts'])

    assert.equal(code, 0)
    assert.match(error, /too long to close/)
  })

  it('is closed completely, and a failing hook is named and does not change the result [HOLD-52]', async () => {
    const { code, error } = await sallyport(['routes', '--app', 'closing.ts'])

    assert.equal(code, 0)
    assert.match(error, /^closed\n.*closing\.ts:\d+\): the pool is busy\n$/)
  })

  it('is closed even when it does not boot [HOLD-52]', async () => {
    const { code, error } = await sallyport(['routes', '--app', 'closing.ts'], { env: { FAILS: '1' } })

    assert.equal(code, 1)
    assert.match(error, /^closed\nsallyport: Cannot mount/)
  })
})
