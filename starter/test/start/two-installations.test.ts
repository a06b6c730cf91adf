import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { freePort } from 'sallyport-app/testing'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

interface Installation {
  readonly url: string
  readonly secret: string
}

// As containers have it: inside, each listens on the same port; outside, each is published on one of its own.
async function publish(test: TestContext, host: string, port: number): Promise<Installation> {
  const publisher = createServer((outer) => {
    const inner = connect(port, host)
    outer.pipe(inner).pipe(outer)
    for (const end of [outer, inner]) end.on('error', () => undefined)
  })
  const outside = await freePort()
  publisher.listen(outside, 'localhost')
  await once(publisher, 'listening')
  test.after(() => void publisher.close())
  const url = `http://localhost:${outside}`
  const program = new Program(test, {
    HOST: host,
    PORT: String(port),
    ORIGIN: url,
    DATA_DIR: temporary(test),
  })
  return { url, secret: await program.secret() }
}

describe('two installations on one host name', () => {
  it('keep their cookies apart by the port that browsers see, when both listen on the same one inside [MEND-09]', async (test) => {
    const port = await freePort()
    const installations = [await publish(test, '127.0.0.1', port), await publish(test, '127.0.0.2', port)]
    let browser = new Visitor('')
    for (const { url, secret } of installations) {
      browser = new Visitor(url, { before: browser })
      await browser.password('two-doors-one-gate')
      assert.equal((await browser.code(await codeNow(secret))).status, 303)
    }
    for (const { url } of installations) {
      browser = new Visitor(url, { before: browser })
      assert.equal((await browser.open('/account')).status, 200, url)
    }
  })
})
