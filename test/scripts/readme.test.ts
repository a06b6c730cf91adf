import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, it } from 'node:test'

import { extractFiles, read, root, workspace, writeFiles } from './guide-code.ts'

const README = read('README.md')
const { NODE_TEST_CONTEXT: _, ...environment } = process.env
// What npm packs whatever `files` says.
const ALWAYS_PACKED = ['README.md', 'LICENSE', 'package.json']

// Signs in on the application of the tutorial, with an account that has a second factor.
const SIGN_IN = `import assert from 'node:assert/strict'
import { generate, generateSecret } from 'otplib/functional'
import { TestClient } from 'sallyport/testing'
import { Accounts } from './accounts.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { FactorVault } from './factor-vault.ts'

const database = openDatabase(':memory:')
const app = await createApp(database).boot()
await app.get(Accounts).add('ada@example.com', 'correct horse')
const secret = generateSecret()
database.prepare('UPDATE account SET factor_secret = ?, factor_step = 0').run(app.get(FactorVault).seal(1, secret))
const client = new TestClient(app)
const guarded = async () => (await client.get('/notes')).headers.get('location')
async function submit(path: string, fields: Record<string, string>): Promise<Response> {
  const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(await (await client.get(path)).text()) ?? []
  return client.post(path, { form: { _csrf: token, ...fields } })
}

assert.equal((await submit('/sign-in', { email: 'ada@example.com', password: 'wrong' })).status, 422)
const pending = await submit('/sign-in', { email: 'ada@example.com', password: 'correct horse' })
assert.equal(pending.headers.get('location'), '/sign-in/code')
assert.equal(await guarded(), '/sign-in')
assert.equal((await submit('/sign-in/code', { code: 'wrong' })).status, 422)
assert.equal(await guarded(), '/sign-in')
const done = await submit('/sign-in/code', { code: await generate({ secret }) })
assert.equal(done.headers.get('location'), '/notes')
assert.equal((await client.get('/notes')).status, 200)
`

function withoutComments(code: string): string {
  return code.replaceAll(/^ *(?:\/\/|\/\*\*) (?!…).*\n/gm, '').replaceAll(/\n+/g, '\n')
}

function relativeTargets(text: string): string[] {
  return [...text.matchAll(/(?:\]\(|src=")(?!https?:|#)([^)#"\s]+)/g)].map(([, target = '']) => target)
}

describe('README.md', () => {
  const tutorial = extractFiles(read('docs/tutorial.md'))

  it('shows code of the tutorial, and marks what it leaves out', () => {
    const shown = Object.entries(extractFiles(README))

    assert.ok(shown.length > 0)
    for (const [name, code] of shown) {
      const whole = withoutComments(tutorial[name] ?? '')
      for (const part of withoutComments(code).split(/^ *\/\/ …\n/m))
        assert.ok(whole.includes(part), `${name}:\n${part}`)
    }
  })

  it('shows a sign-in that guarded pages accept after the code, and not before', (t) => {
    const folder = workspace(t)
    writeFiles(folder, { ...tutorial, 'sign-in.ts': SIGN_IN })

    const { status, stderr } = spawnSync(process.execPath, ['--conditions=sallyport-source', 'sign-in.ts'], {
      cwd: folder,
      encoding: 'utf8',
      env: environment,
    })

    assert.equal(status, 0, stderr)
  })

  it('links to files that the package has, too', () => {
    const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] }
    const isPacked = (target: string): boolean =>
      [...ALWAYS_PACKED, ...files].some((pattern) => matchesGlob(target, pattern))

    const targets = relativeTargets(README)

    assert.ok(targets.some((target) => target.endsWith('.webp')))
    assert.deepEqual(
      targets.filter((target) => !isPacked(target) || !existsSync(join(root, target))),
      [],
    )
  })

  it('gives the numbers of package.json', () => {
    const { dependencies, engines } = JSON.parse(read('package.json')) as {
      readonly dependencies: object
      readonly engines: { readonly node: string }
    }

    const count = /(\d+)\s+runtime\s+dependencies/.exec(README)?.[1]

    assert.equal(Number(count), Object.keys(dependencies).length)
    assert.ok(README.includes(`Node.js ${engines.node.replace('>=', '')} or newer`))
  })

  it('gives the version of Node that every manifest asks for', () => {
    const manifests = [
      ...['starter/package.json', ...globSync('examples/*/package.json', { cwd: root })].map(read),
      tutorial['package.json'] ?? '',
    ]

    const wanted = manifests.map((text) => (JSON.parse(text) as { engines?: { node: string } }).engines?.node)

    assert.ok(wanted.length > 3)
    assert.deepEqual(new Set(wanted), new Set(['>=24.15']))
    assert.equal(read('.nvmrc'), '24\n')
  })
})
