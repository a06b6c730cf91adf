import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { VirtualKey } from 'sallyport-app/testing/authenticators'

const signingUp: Scene = {
  name: 'an account that begins with a passkey',
  shows: ['/passkey-sign-up/{token}', '/account/security', '/account/password', '/account/confirm'],
  async play(stage) {
    const visit = await stage.open()
    const { page } = visit
    const key = await VirtualKey.plugIn(visit)
    await visit.open('/sign-up')
    await page.getByLabel('Email address').fill('grace@example.test')
    await visit.click('button', 'Send the link')
    await visit.open(stage.link('/sign-up/confirm/'))
    await visit.click('link', 'Create a passkey instead of a password')
    await stage.look(visit, 'passkey-sign-up')
    await page.getByLabel('Your name').fill('\u202e')
    await stage.press(visit, 'Create the account', 'passkey-sign-up-refused')
    await page.getByLabel('Your name').fill('Grace Hopper')
    await visit.click('button', 'Create the account')
    await visit.click('button', "I've saved them")
    await key.answer(false)
    await stage.show(visit, '/account/security', 'passwordless-security')
    await visit.click('link', 'Set a password')
    await stage.look(visit, 'passwordless-confirm')
    await key.answer(true)
    await stage.press(visit, 'Confirm with a passkey', 'passwordless-password')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [signingUp],
  waysIn: {
    'end of signing up with a passkey': {
      route: 'POST /enroll/done',
      proves:
        'the mailbox by a link, and a passkey made behind it, in the same session, whose device checked the PIN, fingerprint or face of its user',
      skips: 'the password, because the account has none: the passkey alone is its sign-in from then on',
    },
  },
  links: {
    'POST /passkey-sign-up/{token}':
      'creates the account with a passkey in place of a password; the session stays anonymous until its recovery codes were seen',
  },
}
