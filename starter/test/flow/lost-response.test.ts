import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personOf, type Request } from '../crash/deed.ts'
import { CORE_DEEDS, LOGINS, PASSWORDS } from '../crash/deeds.ts'
import { World } from '../support.ts'
import { DOOR } from './steps.ts'

const [, password] = PASSWORDS
const [code] = LOGINS
const change = CORE_DEEDS.find(({ name }) => name === 'a change of password') ?? code

const FORMS: readonly Request[] = [
  password,
  code,
  { ...code, name: 'cancelling', act: (browser) => browser.submit(`${DOOR}/cancel`) },
  { ...change, name: 'signing out', act: (browser) => browser.submit('/logout') },
]

describe('a form whose response is lost', () => {
  for (const { name, prepare, act } of FORMS)
    it(`leads back to a login page that works at once: ${name} [CSRF-03]`, async (test) => {
      const world = await World.create(test)
      const { browser, facts } = await prepare(world)
      const left = browser.twin()
      await act(browser, facts, world)

      const late = await act(left, facts, world)
      const answer = await left.password(personOf(facts))

      assert.equal(
        late?.headers.get('set-cookie'),
        null,
        'it must not replace the cookie of the first answer',
      )
      assert.deepEqual([answer.status, answer.location], [303, DOOR])
      assert.equal((await left.open(DOOR)).status, 200)
    })
})
