/** The four places where a passkey is asked for. @module */
import { type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { CONFIRM } from '../../../test/flow/steps.ts'
import { type Browser, type Page, PASSWORD } from '../../../test/support.ts'
import { type KeyOwner, NEW_PASSKEY, PASSKEY_DOOR, PASSKEY_SIGN_IN, passkeySignIn } from './steps.ts'

/** Where a passkey is asked for. */
export interface Ceremony {
  /** The page that asks, and where its form goes. */
  readonly page: string
  readonly post: string
  readonly fields?: Readonly<Record<string, string>>
  /** @returns A browser that may open the page. */
  readonly reach: (owner: KeyOwner) => Promise<Browser>
  /** The event of an accepted response. */
  readonly does: 'passkey-used' | 'passkey-added'
}

export const REGISTRATION: Ceremony = {
  page: NEW_PASSKEY,
  post: NEW_PASSKEY,
  fields: { label: 'Other key' },
  reach: async ({ world, key }) => {
    const browser = world.browser()
    await passkeySignIn(browser, key)
    await browser.send(CONFIRM, { return_url: NEW_PASSKEY, password: PASSWORD })
    return browser
  },
  does: 'passkey-added',
}

export const SECOND_DOOR: Ceremony = {
  page: PASSKEY_DOOR,
  post: PASSKEY_DOOR,
  reach: async ({ world, ada }) => {
    const browser = world.browser()
    await browser.password(ada)
    return browser
  },
  does: 'passkey-used',
}

export const WHOLE_LOGIN: Ceremony = {
  page: '/login',
  post: PASSKEY_SIGN_IN,
  reach: async ({ world }) => world.browser(),
  does: 'passkey-used',
}

export const STEP_UP: Ceremony = {
  page: `${CONFIRM}?return_url=%2Faccount%2Fpassword`,
  post: '/account/passkeys/confirm',
  fields: { return_url: '/account/password' },
  reach: async ({ world, key }) => {
    const browser = world.browser()
    await passkeySignIn(browser, key)
    world.clock.advance(300)
    return browser
  },
  does: 'passkey-used',
}

/** All of them, by name. */
export const CEREMONIES: Readonly<Record<string, Ceremony>> = {
  registration: REGISTRATION,
  'the second door': SECOND_DOOR,
  'the whole login': WHOLE_LOGIN,
  'a step-up': STEP_UP,
}

/** A browser that is asked, and the page that asks. */
export interface Asked {
  readonly browser: Browser
  readonly html: string
}

/** A ceremony with the passkey of an account. */
export class Played {
  readonly owner: KeyOwner
  readonly ceremony: Ceremony

  constructor(owner: KeyOwner, ceremony: Ceremony) {
    this.owner = owner
    this.ceremony = ceremony
  }

  /** Makes what an authenticator answers. A registration is of a new one. */
  respond(html: string, options: ResponseOptions = {}, key: SoftwareAuthenticator = this.owner.key): string {
    return this.ceremony.does === 'passkey-used'
      ? key.respond(html, options)
      : new SoftwareAuthenticator().register(html, options)
  }

  async asked(): Promise<Asked> {
    const browser = await this.ceremony.reach(this.owner)
    return { browser, html: (await browser.open(this.ceremony.page)).html }
  }

  post(browser: Browser, response: string): Promise<Page> {
    return browser.submit(this.ceremony.post, { ...this.ceremony.fields, response })
  }

  /** @returns How many responses were accepted while this was done. */
  async accepted(act: () => Promise<unknown>): Promise<number> {
    const { world, ada } = this.owner
    const count = async (): Promise<number> =>
      (await world.events(ada)).filter((kind) => kind === this.ceremony.does).length
    const before = await count()
    await act()
    return (await count()) - before
  }
}
