/** The mails that members are to get, and those that came. @module */
import { setTimeout as pause } from 'node:timers/promises'
import type { MailServer, ReceivedMail } from 'sallyport-app/testing/mail-server'
import { LANGUAGES } from '../../core/messages/language.ts'
import { catalogues } from '../catalogues.ts'
import { Interrupted } from './guest.ts'

// Of browsers that ask for none.
const { messages: MESSAGES } = catalogues[LANGUAGES[0]]

/** A kind of mail that is counted. */
export type Kind = 'confirm' | 'password-changed'

/** Subjects of the mails that are counted, by what people call them. */
const SUBJECTS: Readonly<Record<Kind, string>> = {
  confirm: MESSAGES['mail.confirm.subject'] ?? '',
  'password-changed': MESSAGES['notice.password-changed.subject'] ?? '',
}

/** How many mails of a kind somebody is to get. */
interface Expected {
  readonly kind: Kind
  readonly email: string
  /** Of what was confirmed. */
  sure: number
  /** Of what was interrupted: it may have happened or not. */
  unsure: number
}

/** What came of all mails. */
export interface Delivery {
  /** How many confirmed ones came. */
  readonly came: number
  /** How many confirmed ones did not. */
  readonly missing: readonly string[]
  /** Those that nothing was done for. */
  readonly unasked: readonly string[]
  /** How many came once more, under the same `Message-ID`. */
  readonly repeated: number
}

const LOOK_MILLISECONDS = 100
// A mail that another process takes over may come later: whoever waits for it tries another address meanwhile.
const LINK_MILLISECONDS = 60_000

/** Counts the mails of a mail server. */
export class Post {
  readonly #server: MailServer
  readonly #url: string
  readonly #expected = new Map<string, Expected>()

  /** @param url What links in mails begin with. */
  constructor(server: MailServer, url: string) {
    this.#server = server
    this.#url = url
  }

  /** Does something that is told by a mail. */
  async expecting(kind: Kind, email: string, act: () => Promise<unknown>): Promise<void> {
    const key = `${kind} to ${email}`
    const expected = this.#expected.get(key) ?? { kind, email, sure: 0, unsure: 0 }
    this.#expected.set(key, expected)
    expected.unsure += 1
    await act()
    expected.unsure -= 1
    expected.sure += 1
  }

  /** @returns The link in a mail to the address, once there is one. */
  async linkTo(email: string, signal: AbortSignal): Promise<string> {
    for (const end = performance.now() + LINK_MILLISECONDS; performance.now() < end;) {
      const mail = this.#server.mails.findLast(({ to }) => to.includes(email))
      const [, path] = new RegExp(`${this.#url}(/sign-up/[^"<\\s]+)`).exec(mail?.decoded ?? '') ?? []
      if (path !== undefined) return path
      await pause(LOOK_MILLISECONDS, undefined, { signal })
    }
    throw new Interrupted(`There is no mail to ${email} yet`)
  }

  /** @returns What came of all of them. */
  delivery(): Delivery {
    const came = new Map<string, Set<string>>()
    for (const { to, raw } of this.#server.mails) {
      const subject = headerOf(raw, 'Subject')
      const kind = Object.entries(SUBJECTS).find(([, text]) => subject.endsWith(text))?.[0]
      if (kind === undefined) continue
      const key = `${kind} to ${to.join()}`
      came.set(key, (came.get(key) ?? new Set()).add(headerOf(raw, 'Message-ID')))
    }
    const [missing, unasked] = [[] as string[], [] as string[]]
    for (const key of new Set([...came.keys(), ...this.#expected.keys()])) {
      const { sure = 0, unsure = 0 } = this.#expected.get(key) ?? {}
      const count = came.get(key)?.size ?? 0
      for (let left = count; left < sure; left += 1) missing.push(key)
      for (let left = count; left > sure + unsure; left -= 1) unasked.push(key)
    }
    const sure = [...this.#expected.values()].reduce((sum, one) => sum + one.sure, 0)
    return { came: sure - missing.length, missing, unasked, repeated: repeatedAmong(this.#server.mails) }
  }
}

function repeatedAmong(received: readonly ReceivedMail[]): number {
  return received.length - new Set(received.map(({ raw }) => headerOf(raw, 'Message-ID'))).size
}

function headerOf(raw: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? ''
}
