import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD } from '../support.ts'
import { type Owner, ownerOf } from './steps.ts'

/** A form: its page, what is done before, and what is typed. */
interface Form {
  readonly page: string
  readonly prepare?: (owner: Owner) => Promise<unknown>
  readonly fields?: (owner: Owner) => Promise<Readonly<Record<string, string>>>
}

const FORMS: Readonly<Record<string, Form>> = {
  '/login': {
    page: '/login',
    fields: ({ person }) => Promise.resolve({ email: person.email, password: PASSWORD }),
  },
  '/login/2fa': {
    page: '/login/2fa',
    prepare: ({ browser, person }) => browser.password(person),
    fields: async ({ world, person }) => ({ code: await world.code(person) }),
  },
  '/login/2fa/cancel': {
    page: '/login/2fa',
    prepare: ({ browser, person }) => browser.password(person),
  },
  '/logout': {
    page: '/account',
    prepare: ({ browser, person }) => browser.signIn(person),
  },
}

describe('a form whose response is lost', () => {
  for (const [path, { page, prepare, fields }] of Object.entries(FORMS))
    it(`leads back to a login page that works at once: ${path} [CSRF-03]`, async (test) => {
      const owner = await ownerOf(test)
      const { browser, person } = owner
      await prepare?.(owner)
      await browser.open(page)
      const left = browser.twin()
      const form = (await fields?.(owner)) ?? {}
      await browser.submit(path, form)

      const late = await left.submit(path, form)
      assert.equal((await left.open('/login')).status, 200)
      const answer = await left.submit('/login', { email: person.email, password: PASSWORD })

      assert.equal(late.headers.get('set-cookie'), null, 'it must not replace the cookie of the first answer')
      assert.deepEqual([answer.status, answer.location], [303, '/login/2fa'])
      assert.equal((await left.open('/login/2fa')).status, 200)
    })
})
