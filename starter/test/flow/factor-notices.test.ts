import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, type Person, World } from '../support.ts'

const REFUSED = 'Your password was right, the second step was not'
const LOCKED = 'A second step of your account is locked'

function count(world: World, subject: string): number {
  return world.mailbox.list().filter((mail) => mail.subject === subject).length
}

async function guess(world: World, { person, browser }: { person: Person; browser: Browser }): Promise<void> {
  if (!('_2fa' in (await browser.session()))) await browser.password(person)
  await browser.code(await world.wrongCode(person))
}

describe('mails about wrong codes', () => {
  it('tell that the password was right and the second step wrong again and again, once for each login [RA-2401 RA-0205]', async (test) => {
    const world = await World.create(test)
    const person = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.open('/login')

    for (let times = 1; times <= 5; times += 1) {
      assert.equal(count(world, REFUSED), 0)
      await guess(world, { person, browser })
    }

    assert.equal(count(world, REFUSED), 1)
    assert.equal(world.mailbox.list()[0]?.to, person.email)
  })

  it('tell of a lock once, with its minutes, and not of every code after it [RA-2401 RA-0803]', async (test) => {
    const world = await World.create(test)
    const person = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.open('/login')

    for (let times = 0; times < 15; times += 1) await guess(world, { person, browser })

    assert.deepEqual([count(world, REFUSED), count(world, LOCKED)], [1, 1])
    const mail = world.mailbox.list().find(({ subject }) => subject === LOCKED)
    assert.match(mail?.text ?? '', /: Authenticator app\. It is not asked for 15 minutes/)
  })
})
