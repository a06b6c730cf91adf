import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { statusOf } from 'sallyport-app/testing'
import { Browser, World } from '../support.ts'
import { newestLink } from './steps.ts'

describe('the mailbox of a development machine', () => {
  it('answers names and addresses of this machine, and no name that leads here', async (test) => {
    const world = await World.create(test)
    const url = await world.listen(test)
    const { port } = new URL(url)

    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '[::1]'])
      assert.equal(await statusOf(`${url}/dev/mail`, { host: `${host}:${port}` }), 200, host)
    for (const host of ['attacker.test', 'localhost.attacker.test', '127.0.0.1.attacker.test', '192.168.0.7'])
      assert.equal(await statusOf(`${url}/dev/mail`, { host: `${host}:${port}` }), 404, host)
  })

  it('answers no other machine, whatever name it uses', async (test) => {
    const world = await World.create(test)
    const statusAt = async (clientAddress: string): Promise<number> => {
      const client = new TestClient(world.app, { origin: 'http://localhost:3000', clientAddress })
      return (await client.get('/dev/mail')).status
    }

    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) assert.equal(await statusAt(address), 200)
    for (const address of ['192.168.0.9', '2001:db8::1', '::ffff:10.0.0.1', ''])
      assert.equal(await statusAt(address), 404, address)
  })

  it('shows the mails, newest first, with links that can be opened', async (test) => {
    const world = await World.create(test)
    const here = { origin: 'http://localhost:3000', clientAddress: '127.0.0.1' }
    const [developer, guest] = [new Browser(world, new TestClient(world.app, here)), world.browser()]
    for (const email of ['<b>@example.test', 'eve@example.test']) {
      await guest.send('/sign-up', { email })
    }

    const { html } = await developer.open('/dev/mail')

    assert.ok(html.includes(`<a href="https://app.test${newestLink(world)}">`))
    assert.equal(html.includes('<b>'), false)
  })
})
