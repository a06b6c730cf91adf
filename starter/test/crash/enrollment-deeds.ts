/** The first factor of an account. @module */
import assert from 'node:assert/strict'
import { codesOf, enroll, newestLink, personOf as shownTo, signUp } from '../flow/newcomer.ts'
import { PASSWORD } from '../support.ts'
import { assertLeadsTo, assertRefused, assertSignsIn, type Deed, named } from './deed.ts'

const EMAIL = 'ada@example.test'

const confirmation: Deed = {
  name: 'the link of a sign-up',
  isSilent: true,
  async prepare(world) {
    const browser = world.browser()
    await browser.open('/sign-up')
    await browser.submit('/sign-up', { email: EMAIL })
    const link = newestLink(world)
    await browser.open(link)
    return { browser, facts: { id: '', email: EMAIL, secret: '', link } }
  },
  act: (browser, { link = '' }) => browser.submit(link, { name: 'ada', password: PASSWORD }),
  async resume({ world, browser, facts: { link = '' }, isDone }) {
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) {
      assertLeadsTo(await browser.submit(link, { name: 'ada', password: PASSWORD }), '/enroll')
      assert.equal((await world.browser().open(link)).status, 410)
    }
    assert.equal(await browser.isSignedIn(), false)
    assertLeadsTo(await world.browser().password({ email: EMAIL }), '/account')
  },
}

const firstProof: Deed = {
  name: 'the first code of an enrollment',
  async prepare(world) {
    const browser = world.browser()
    const person = await shownTo(world, 'ada', await signUp(world, browser, 'ada'))
    const other = world.browser()
    assertLeadsTo(await other.password(person), '/account')
    const facts = { ...named(person), other: other.sessionId ?? '', code: await world.code(person) }
    return { browser, facts }
  },
  act: (browser, { code = '' }) => browser.submit('/enroll', { code }),
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const page = await browser.open('/enroll')
    if (!isDone) {
      assert.equal((await shownTo(world, 'ada', page)).secret?.reveal(), person.secret?.reveal())
      assert.equal(codesOf(await browser.submit('/enroll', { code })).length, 10)
      assertLeadsTo(await browser.submit('/enroll/done'), '/account')
    }
    assert.equal(await world.identity.codes.left(person.id), 10)
    await assertRefused(world, person, { code })
    await assertSignsIn(world, person)
  },
}

const done: Deed = {
  name: 'the end of an enrollment',
  isSilent: true,
  signsIn: true,
  async prepare(world) {
    const browser = world.browser()
    const { person } = await enroll(world, browser, 'ada')
    await browser.open('/enroll')
    return { browser, facts: named(person) }
  },
  act: (browser) => browser.submit('/enroll/done'),
  async resume({ world, browser, person, isDone }) {
    const page = await browser.open('/enroll')
    if (page.status === 200)
      assertLeadsTo(await browser.submit('/enroll/done'), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertSignsIn(world, person)
  },
}

/** Enrollments. */
export const ENROLLMENTS: readonly Deed[] = [confirmation, firstProof, done]
