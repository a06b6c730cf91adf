import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { freePort } from '../free-port.ts'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

interface Installation {
  readonly url: string
  readonly secret: string
}

async function begin(test: TestContext): Promise<Installation> {
  const program = new Program(test, { PORT: String(await freePort()), DATA_DIR: temporary(test) })
  return { url: await program.url(), secret: await program.secret() }
}

// As containers have it: inside, each listens on the same port; outside, each is published on one of its own.
async function publish(test: TestContext, host: string, port: number): Promise<Installation> {
  const publisher = createServer((outer) => {
    const inner = connect(port, host)
    outer.pipe(inner).pipe(outer)
    for (const end of [outer, inner]) end.on('error', () => undefined)
  })
  publisher.listen(await freePort(), 'localhost')
  await once(publisher, 'listening')
  test.after(() => void publisher.close())
  const origin = `http://localhost:${(publisher.address() as AddressInfo).port}`
  const variables = { HOST: host, PORT: String(port), ORIGIN: origin, DATA_DIR: temporary(test) }
  const program = new Program(test, variables)
  await program.url()
  return { url: origin, secret: await program.secret() }
}

async function assertApart(installations: readonly Installation[]): Promise<void> {
  let browser = new Visitor('')
  for (const { url, secret } of installations) {
    browser = new Visitor(url, browser)
    await browser.password('two-doors-one-gate')
    assert.equal((await browser.code(await codeNow(secret))).status, 303)
  }
  for (const { url } of installations) {
    browser = new Visitor(url, browser)
    assert.equal((await browser.open('/account')).status, 200, url)
  }
}

describe('two installations on one host name', () => {
  it('keep their cookies apart, so that one browser stays signed in to both [MEND-09]', async (test) => {
    await assertApart(await Promise.all([begin(test), begin(test)]))
  })

  it('keep them apart by the port that browsers see, when both listen on the same one inside [MEND-09]', async (test) => {
    const port = await freePort()

    await assertApart([await publish(test, '127.0.0.1', port), await publish(test, '127.0.0.2', port)])
  })
})
