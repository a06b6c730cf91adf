import assert from 'node:assert/strict'
import type { SessionRecord } from 'sallyport/session'

/**
 * Watches for what must never happen, without knowing what should: it has no model of a session.
 *
 * - An identifier that was seen before a login never carries an identity.
 * - Whoever was told to be signed out never answers as signed in, whatever the identifier.
 * - An identity and a pending login never stand together.
 * - A form made for somebody is never accepted for somebody else.
 */
export class Witness {
  // What each identifier carried when it was seen first.
  readonly #born = new Map<string, string | null>()
  readonly #dead = new Map<string, number>()
  #time = 0

  /** A moment: what is told to be dead later is no matter of a request that began now. */
  moment(): number {
    return ++this.#time
  }

  /** A record that the store gave for an identifier. */
  seeRecord(digest: string, record: SessionRecord | null): void {
    const who = record === null ? null : parse(record.data.get('_auth'))
    const born = this.#born.get(digest)
    if (born === undefined) this.#born.set(digest, who)
    else assert.ok(who === null || who === born, `an identifier of ${born} carries the identity of ${who}`)
    assert.ok(who === null || record?.data.has('_2fa') !== true, `${who} is signed in and pending at once`)
    this.#assertAlive(who, this.moment())
  }

  /** A page that was asked for at a moment. */
  seePage({ who, pending }: { who: string | null; pending: string | null }, askedAt: number): void {
    assert.ok(who === null || pending === null, `a page shows ${who} and a pending login of ${pending}`)
    this.#assertAlive(who, askedAt)
  }

  /** A form that was accepted for somebody, with a token from a page of somebody. */
  seeForm(sent: { madeFor: string | null; acceptedFor: string | null; askedAt: number }): void {
    assert.equal(sent.acceptedFor, sent.madeFor, 'a token of another identity was accepted')
    this.#assertAlive(sent.acceptedFor, sent.askedAt)
  }

  /** Somebody was told to be signed out. */
  seeLogout(who: string | null): void {
    if (who !== null && !this.#dead.has(who)) this.#dead.set(who, this.moment())
  }

  #assertAlive(who: string | null, at: number): void {
    const died = who === null ? undefined : this.#dead.get(who)
    assert.ok(died === undefined || died > at, `${who} was signed out and is back`)
  }
}

function parse(text: string | undefined): string | null {
  return text === undefined ? null : (JSON.parse(text) as string)
}
