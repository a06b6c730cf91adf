import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { SIGN_IN_LINK_SECONDS } from '../sign-in-links.ts'

const byLink: Scene = {
  name: 'a sign-in by an emailed link',
  shows: ['/login', '/sign-in-link', '/sign-in-link/sent', '/sign-in-link/{token}', '/login/2fa'],
  options: { signInLink: true },
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const [visit, other] = [await stage.open(), await stage.open()]
    const ask = async (): Promise<void> => {
      await visit.open('/sign-in-link')
      await visit.page.getByLabel('Email address').fill(ada.email)
      await visit.click('button', 'Send the link')
    }
    await stage.show(visit, '/login', 'login-with-link')
    await visit.after(() => visit.page.getByRole('link', { name: 'Email me a link' }).click())
    await stage.look(visit, 'sign-in-link')
    await ask()
    await stage.look(visit, 'sign-in-link-sent')
    const link = stage.link('/sign-in-link/')
    await stage.show(other, link, 'sign-in-link-elsewhere')
    await stage.show(visit, link, 'sign-in-link-confirm')
    await stage.press(visit, 'Sign in', 'sign-in-link-challenge')
    await stage.show(visit, link, 'sign-in-link-outdated')
    for (let asked = 0; asked < 5; asked += 1) await ask()
    await stage.look(visit, 'sign-in-link-429')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  switches: { SIGN_IN_LINK: 'sign-in links by mail' },
  malformed: { SIGN_IN_LINK: ['on'] },
  settings: { signInLink: true },
  scenes: [byLink],
  mailLinks: {
    'the link that signs in': {
      clauses: '[RA-0206 RA-2502 RA-3001]',
      start: '/sign-in-link/',
      async make(world, browser) {
        const ada = await world.person('ada', { factor: 'enabled' })
        await browser.send('/sign-in-link', { email: ada.email })
        return ada
      },
      isBound: true,
      event: 'sign-in-link-used',
      table: 'sign_in_link',
      seconds: SIGN_IN_LINK_SECONDS,
      opens: true,
      endsWith: 'credentials',
      gains: ['password proven'],
    },
  },
  waysIn: {
    'emailed link, only in an installation with `SIGN_IN_LINK=1`': {
      route: 'POST /sign-in-link/{token}',
      proves:
        'the mailbox, by a link that this browser asked for within 15 minutes and that is used up; neither credentials nor address of the account were changed since',
      skips:
        'the password, which is why it is off by default; and the second factor as the password does: only for an account that has none enabled and need not have one yet, otherwise it begins a pending login. It proves no password: protected actions require it, no code by email, trusted browser or recovery of a lost factor follows it, and an account that must set up its first factor signs in with the password',
    },
  },
  beside: {
    'GET /sign-in-link': 'shows the form, in an installation with `SIGN_IN_LINK=1`',
    'POST /sign-in-link': 'sends a link for this browser; an earlier one no longer works',
    'GET /sign-in-link/sent': 'says that an email is on its way',
    'GET /sign-in-link/{token}': 'shows the button, and changes nothing',
  },
  rights: { sign_in_link: 'uses a link of a mail' },
  ledger: { signInLinks: 'SELECT count(*) AS n FROM sign_in_link' },
  lists: { sign_in_link: 'expires' },
}
