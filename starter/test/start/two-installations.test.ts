import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { freePort } from '../free-port.ts'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

async function begin(test: TestContext): Promise<{ readonly url: string; readonly secret: string }> {
  const program = new Program(test, { PORT: String(await freePort()), DATA_DIR: temporary(test) })
  return { url: await program.url(), secret: await program.secret() }
}

describe('two installations on one host name', () => {
  it('keep their cookies apart, so that one browser stays signed in to both [MEND-09]', async (test) => {
    const [first, second] = await Promise.all([begin(test), begin(test)])
    let browser = new Visitor(first.url)
    for (const { url, secret } of [first, second]) {
      browser = new Visitor(url, browser)
      await browser.password('two-doors-one-gate')
      assert.equal((await browser.code(await codeNow(secret))).status, 303)
    }

    for (const { url } of [first, second]) {
      browser = new Visitor(url, browser)
      assert.equal((await browser.open('/account')).status, 200, url)
    }
  })
})
