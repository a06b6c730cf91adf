import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { succeed } from '../cli/packed-package.ts'
import { extractSteps, type Files, read, writeFiles } from '../scripts/guide-code.ts'
import { freePort } from '../services/loopback.ts'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { Browser, tokenIn } from './browser.ts'
import { installHosts } from './installation.ts'
import { createMembers, PASSWORD } from './members.ts'
import { type Running, start } from './running.ts'
import { Visitor } from './visitor.ts'

const SIGN_IN = '/account/sign-in?to=%2Forders'
const SECTIONS: ReadonlySet<string> = new Set(['Sign in with Sallyport', 'Next.js'])
const FOLDER = 'next-guide'
// What every application of Next.js has.
const LAYOUT = `export default function Layout({ children }) {
  return <html><body>{children}</body></html>
}
`
const installation = withoutPostgres || installHosts()
const skip = typeof installation === 'string' ? installation : false

/** The programs of the guide, for an origin. */
function programs(origin: string): Files {
  const steps = extractSteps(read('docs/existing-application.md')).filter(({ title }) => SECTIONS.has(title))
  assert.equal(steps.length, SECTIONS.size)
  const { 'who.js': who = '', ...files } = Object.assign({}, ...steps.map((step) => step.files)) as Files
  assert.ok(who.includes("'https://shop.example'"))
  return {
    ...files,
    'who.js': who.replace("'https://shop.example'", `'${origin}'`),
    'app/layout.js': LAYOUT,
  }
}

describe('an application of Next.js, as the guide about existing applications shows it', { skip }, () => {
  let server: PostgresServer
  let running: Running
  let origin: string

  before(async () => {
    assert.ok(typeof installation !== 'string')
    const { folder } = installation
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    rmSync(join(folder, FOLDER), { recursive: true, force: true })
    writeFiles(join(folder, FOLDER), programs(origin))
    succeed(process.execPath, ['node_modules/next/dist/bin/next', 'build', FOLDER], folder)
    server = await PostgresServer.start()
    await createMembers(server.url, join(folder, FOLDER))
    const env = {
      DATABASE_URL: server.url,
      NEXT_DIR: FOLDER,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
      NEXT_PORT: String(port),
    }
    running = await start([process.execPath, 'next.mjs'], { folder, env })
  })

  after(async () => {
    await running?.stop()
    await server?.[Symbol.asyncDispose]()
  })

  it('shows a page to a user who has signed in and may see it, and signs out [HOST-02]', async () => {
    const [clerk, other] = [new Browser(new Visitor(origin, '')), new Browser(new Visitor(origin, ''))]
    assert.equal((await clerk.get('/orders')).location, origin + SIGN_IN)

    for (const [user, name] of [
      [clerk, 'ada'],
      [other, 'ben'],
    ] as const)
      assert.equal((await user.submit(SIGN_IN, { name, password: PASSWORD })).location, '/orders')

    const { status, text } = await clerk.get('/orders')
    assert.equal(status, 200)
    assert.match(text, /<p>ada<\/p>/)
    assert.equal((await other.get('/orders')).status, 403)
    assert.equal((await clerk.post('/account/sign-out', { _csrf: tokenIn(text) })).location, '/')
    assert.equal((await clerk.get('/orders')).location, origin + SIGN_IN)
  })
})
