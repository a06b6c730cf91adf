/** Steps of passkeys that let a session do more. @module */
import assert from 'node:assert/strict'
import { STEP_UP_SECONDS } from 'sallyport-app/step-up'
import { demanding } from '../../../test/demanding.ts'
import { formAt, type Row, testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { ownerOf, signedIn } from '../../../test/flow/steps.ts'
import { Passkeys } from '../passkeys.ts'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { PASSKEY_SIGN_IN, withPasskey } from './steps.ts'

const STEPS: Readonly<Record<string, Row>> = {
  'a passkey as the whole login': {
    gains: ['signed in'],
    before: async (test) => {
      const { world, person, browser } = await ownerOf(test)
      const key = await withPasskey(world, person)
      const { html } = await browser.open('/login')
      return { browser, act: () => browser.submit(PASSKEY_SIGN_IN, { response: key.respond(html) }) }
    },
  },
  'password and code where a rule asks for a passkey': {
    gains: ['sets up a factor', 'needs no link'],
    before: async (test) => {
      const { world, person, browser } = await ownerOf(test, demanding({ kinds: ['passkey'] }))
      await browser.password(person)
      return formAt(browser, '/login/2fa', { code: await world.code(person) })
    },
  },
  'the passkey that a rule asks for': {
    gains: ['new factor proven'],
    before: async (test) => {
      const { person, browser } = await ownerOf(test, demanding({ kinds: ['passkey'] }))
      assert.equal((await browser.signIn(person)).location, '/enroll')
      const { html } = await browser.open('/passkey/enroll')
      const response = new SoftwareAuthenticator().register(html)
      return { browser, act: () => browser.submit('/passkey/enroll', { label: 'Key', response }) }
    },
  },
  'a passkey for a protected action': {
    gains: ['confirmed a factor'],
    before: async (test) => {
      const { world, person, browser } = await ownerOf(test)
      const key = await withPasskey(world, person)
      world.clock.advance(30)
      await browser.signIn(person)
      world.clock.advance(STEP_UP_SECONDS)
      const { html } = await browser.open('/account/password', { follow: true })
      const fields = { return_url: '/account/password', response: key.respond(html) }
      return { browser, act: () => browser.submit(`/account/passkeys/confirm`, fields) }
    },
  },
  'the end of a passkey': {
    gains: [],
    before: async (test) => {
      const { world, person } = await signedIn(test)
      await withPasskey(world, person)
      const again = world.browser()
      world.clock.advance(30)
      await again.signIn(person)
      const [passkey] = await world.app.get(Passkeys).list(person.id)
      return formAt(again, `/account/security/factors/${passkey?.id ?? ''}/remove`)
    },
  },
}

testNewIdentifiers(STEPS)
