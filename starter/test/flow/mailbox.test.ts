import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { Browser, World } from '../support.ts'
import { newestLink } from './steps.ts'

describe('the mailbox of a development machine', () => {
  it('answers this machine by its own names only, whatever other machines and other names lead here', async (test) => {
    const world = await World.create(test)
    const statusOf = async (host: string, clientAddress: string): Promise<number> =>
      (await new TestClient(world.app, { origin: `http://${host}:3000`, clientAddress }).get('/dev/mail'))
        .status

    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '[::1]'])
      assert.equal(await statusOf(host, '127.0.0.1'), 200, host)
    for (const host of ['attacker.test', 'localhost.attacker.test', '127.0.0.1.attacker.test', '192.168.0.7'])
      assert.equal(await statusOf(host, '127.0.0.1'), 404, host)
    for (const address of ['::1', '::ffff:127.0.0.1'])
      assert.equal(await statusOf('localhost', address), 200, address)
    for (const address of ['192.168.0.9', '2001:db8::1', '::ffff:10.0.0.1', ''])
      assert.equal(await statusOf('localhost', address), 404, address)
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
