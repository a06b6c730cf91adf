import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Visitor } from '../start/process.ts'
import { type Page, PASSWORD } from '../support.ts'
import { failuresOf } from '../failures.ts'
import { atDoor, DOOR, ownerOf } from './steps.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

describe('attempts for one challenge', () => {
  it('the fifth wrong code ends the challenge, and a correct one after it is not checked [FACTOR-17 FLOW-32]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const browser = await atDoor(world, ada)
    const wrong = { code: await world.wrongCode(ada) }
    const code = await world.code(ada)

    for (let times = 0; times < 4; times += 1) assert.equal((await browser.submit(DOOR, wrong)).status, 422)
    for (const fields of [wrong, { code }]) {
      const { status, location } = await browser.submit(DOOR, fields)
      assert.deepEqual([status, location], [303, '/login'])
    }

    assert.match((await browser.open('/login')).html, /Too many wrong codes. Start again with your password/)
    assert.equal('_2fa' in (await browser.session()), false)
    const refused = Array.from({ length: 5 }, () => 'code-refused')
    assert.deepEqual(await world.events(ada), ['password-accepted', ...refused, 'challenge-spent'])
    await browser.password(ada)
    assert.equal((await browser.code(code)).location, '/account')
  })
})

describe('failed codes of one account', () => {
  it('lock codes for 15 minutes, across any number of challenges, also of those at once [FACTOR-02 FACTOR-18 FACTOR-19 FACTOR-20 RA-0203 RA-2705]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const send = async (code: string): Promise<Page> => (await atDoor(world, ada)).submit(DOOR, { code })
    const doors = await Promise.all(Array.from({ length: 10 }, () => atDoor(world, ada)))
    const guess = { code: await world.wrongCode(ada) }

    const pages = await Promise.all(doors.map((door) => door.submit(DOOR, guess)))
    const right = await send(await world.code(ada))
    const wrong = await send(await world.wrongCode(ada))

    const statuses = pages.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 422, 422, 429, 429, 429])
    assert.deepEqual([right.status, right.headers.get('retry-after')], [429, '900'])
    const withoutTokens = [right, wrong].map(({ html }) => html.replace(/value="[\w-]{86}"/g, ''))
    assert.equal(withoutTokens[0], withoutTokens[1])
    assert.match(right.html, /Too many wrong codes\./)
    world.clock.advance(899)
    assert.equal((await send(await world.code(ada))).status, 429)
    world.clock.advance(1)
    assert.equal((await send(await world.code(ada))).location, '/account')
  })

  it('leave a right code that comes with them no chance after the seventh [FACTOR-18 FACTOR-20]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const doors = await Promise.all(Array.from({ length: 11 }, () => atDoor(world, ada)))
    const [wrong, right] = [await world.wrongCode(ada), await world.code(ada)]
    const last = doors.at(-1)

    await Promise.all(doors.map((door) => door.submit(DOOR, { code: door === last ? right : wrong })))

    // PostgreSQL may take them in another order.
    const answered = (await world.events(ada)).filter((kind) => /^(?:code-refused|logged-in)$/.test(kind))
    assert.doesNotMatch(answered.join(), /(?:code-refused,){7}(?:logged-in|code-refused)/)
  })
})

describe('failed passwords', () => {
  it('ten for one address lock it, whether or not an account has it [LOGIN-09 RA-0006 RA-0203]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    const answers: string[] = []
    for (const email of [ada.email, 'nobody@example.test']) {
      const browser = world.browser()
      await browser.open('/login')
      for (let i = 0; i < 10; i++)
        assert.equal((await browser.submit('/login', { email, password: 'wrong' })).status, 422)

      const page = await browser.submit('/login', { email, password: PASSWORD }, JSON_CLIENT)

      assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '900'])
      answers.push(page.html)
    }
    assert.equal(answers[0], answers[1])
    world.clock.advance(900)
    assert.equal((await world.browser().password(ada)).location, '/account')
  })

  it('fifty from one client lock that client, whichever headers it adds [RA-0203]', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    const visitor = new Visitor(await world.listen(test))
    await visitor.open('/login')
    const forged = (i: number): Record<string, string> => ({
      'x-forwarded-for': `198.51.100.${i}`,
      'x-real-ip': `198.51.100.${i}`,
      forwarded: `for=198.51.100.${i}`,
    })
    for (let i = 0; i < 50; i++) {
      const fields = { email: `nobody${i}@example.test`, password: 'wrong' }
      assert.equal((await visitor.submit('/login', fields, forged(i))).status, 422)
    }

    const page = await visitor.submit('/login', { email: ada.email, password: PASSWORD }, forged(99))

    assert.equal(page.status, 429)
    assert.equal((await failuresOf(world.database, 'client:127.0.0.1')).length, 50)
  })

  it('where the server knows no addresses, clients do not share a limit [HOST-03]', async (test) => {
    const { person: ada, browser } = await ownerOf(test, { factor: 'none' })
    await browser.open('/login')
    for (let i = 0; i < 60; i++)
      await browser.submit('/login', { email: `nobody${i}@example.test`, password: 'wrong' })

    const page = await browser.submit('/login', { email: ada.email, password: PASSWORD })

    assert.equal(page.location, '/account')
  })

  it('are not counted when the hasher is overloaded', async (test) => {
    const { world, person: ada } = await ownerOf(test, { factor: 'none' })
    test.mock.method(world.hasher, 'verify', async () => {
      throw new Error('no hash now')
    })

    const page = await world.browser().password(ada)

    assert.equal(page.status, 500)
    assert.equal(world.faults.length, 1)
    assert.deepEqual(await failuresOf(world.database), [])
  })
})
