import { ignoreFailure, readClock, publish } from '../core/internal.ts'
import type { Json } from '../core/index.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import { assertFew, endSessions } from './duplicate-cookies.ts'
import type { EndedIdentifier } from './ended-identifier.ts'
import { accountText, handleFor } from './account-entry.ts'
import { FlashMessages, type Showing } from './flash-messages.ts'
import { textOf, valueOf } from './json-text.ts'
import { ACCOUNT_KEY, IDENTITY_KEY } from './identity-key.ts'
import { PendingChanges } from './pending-changes.ts'
import { LateChange, Refusal, Refusals, warnUnlessHandled, warnWhenLate } from './refusal.ts'
import { isKey, notAKey } from './session-argument.ts'
import { endedSecretOf, isIdentifier, storedIdOf } from './session-identifier.ts'
import {
  type CookieChange,
  rolledExpiry,
  type SessionServices,
  type SessionWork,
  SessionWriter,
} from './session-writer.ts'
import type { Session } from './session.ts'
import { type Arrival, StoredSession } from './stored-session.ts'

/** What a session may know beside its cookie. */
export interface SessionOptions {
  readonly duplicates?: readonly string[]
  readonly arrival?: Arrival | null
}

/** The session of one request: it reads on first use, records changes and applies them once. */
export class RequestSession implements Session, EndedIdentifier {
  readonly #services: SessionServices
  readonly #sent: string
  readonly #id: string
  // How the store knows all session cookies that the request sent; which of them the browser means is unknown.
  readonly #duplicates: readonly string[]
  readonly #stored: StoredSession
  #pending = PendingChanges.none
  #isUsed = false
  #isSealed = false
  #committed = false
  #isWithdrawn = false
  #writer: SessionWriter | null = null
  #listeners: ((survived: boolean) => void)[] | null = null
  #withdrawals: (() => void)[] | null = null
  #refusals: Refusals | null = null

  /**
   * @param services Store, policy and clock.
   * @param sent Value of the session cookie; undefined when none was sent, or several.
   * @param options All values sent under its name as `duplicates`, when there are several: the request has no session, and ends each of
   * them. What is known of the body, as `arrival`. Default: none of both.
   */
  constructor(
    services: SessionServices,
    sent: string | undefined,
    { duplicates = [], arrival = null }: SessionOptions = {},
  ) {
    this.#services = services
    const plausible = isIdentifier(sent)
    this.#sent = plausible ? sent : ''
    this.#id = plausible ? storedIdOf(sent, services.policy) : ''
    this.#duplicates = duplicates.filter(isIdentifier).map((value) => storedIdOf(value, services.policy))
    this.#stored = new StoredSession(services, this.#id, { isSent: plausible, arrival })
  }

  get<T = unknown>(key: string): Promise<T | undefined> {
    return this.#ofKey(key, () => this.#value(key) as T | undefined)
  }

  /** @returns As `get()`, but without a promise when the session has already been read. @internal */
  entry(key: string): unknown {
    this.#isUsed = true
    return this.#stored.state === 'unread' ? this.get(key) : this.#value(key)
  }

  /** @returns The value of an entry; undefined also if the session has not been read. @internal */
  knownEntry(key: string): unknown {
    if (this.#stored.state === 'unread') return undefined
    this.#isUsed = true
    return this.#value(key)
  }

  has(key: string): Promise<boolean> {
    return this.#ofKey(key, () => this.#value(key) !== undefined)
  }

  /** @returns The sorted keys with a prefix; rejects with a `ServiceUnavailableException` if the store fails. @internal */
  keysFrom(prefix: string): Promise<string[]> {
    return this.#whenRead(() => this.#pending.keysFrom(prefix, this.#stored.record?.data))
  }

  set(key: string, value: Json): Promise<void> {
    let text: string | undefined
    try {
      text = textOf(key, value)
    } catch (error) {
      return this.refuse(error)
    }
    return this.#change((pending) => pending.set(key, text))
  }

  remove(key: string): Promise<void> {
    if (!isKey(key)) return this.refuse(notAKey(key))
    return this.#change((pending) => pending.remove(key, this.#mayBeStored))
  }

  /** Removes an entry, unless another request has renewed the session in the meantime and given it another value. @internal */
  removeUnlessNewer(key: string): Promise<void> {
    return this.#change((pending) => pending.removeUnlessNewer(key, this.#mayBeStored))
  }

  // Removals are recorded even when the key was missing at the time of reading: another request may have set it since.
  get #mayBeStored(): boolean {
    return this.#stored.record !== null || this.#stored.behind !== 'nothing' || this.#duplicates.length > 0
  }

  /**
   * Describes the session for an account that signs in; called before its identity is set. The same account keeps the handle
   * by which the stored session is known until the commit, also after a logout in this request.
   *
   * @param identifier Account reference.
   * @param details JSON of what the application keeps with it.
   * @internal
   */
  describe(identifier: string, details: string): Promise<void> {
    return this.#change((pending) => {
      const handle = handleFor(identifier, this.#id, pending.entriesBefore(this.#stored.record?.data))
      pending.set(ACCOUNT_KEY, accountText(handle, details))
    })
  }

  /**
   * @param identifier Account reference.
   * @returns The handle of the session if that account is signed in, otherwise null.
   * @throws {ServiceUnavailableException} If the store fails.
   * @internal
   */
  accountHandle(identifier: string): Promise<string | null> {
    const get = (key: string) => this.#pending.text(key, this.#stored.record?.data)
    return this.#whenRead(() => handleFor(identifier, this.#id, { get }))
  }

  regenerateId(): Promise<void> {
    return this.#change((pending) => pending.rotate())
  }

  /**
   * @param error Why a change is refused.
   * @returns A rejection. When nobody awaits it, the response becomes the error.
   * @internal
   */
  refuse(error: unknown): Promise<never> {
    const refusal = Refusal.of(error)
    if (this.#committed || this.#isSealed) warnUnlessHandled(refusal, error)
    else (this.#refusals ??= new Refusals()).add(refusal, error)
    return refusal
  }

  /** Restarts the absolute lifetime of a rotated session. @internal */
  renew(): void {
    this.#changing().renew()
  }

  destroy(): Promise<void> {
    return this.#change((pending) => pending.destroy())
  }

  async endedSecret(): Promise<Uint8Array | null> {
    if (this.#stored.state === 'unread') await this.#stored.read()
    // For an identifier that the store never issued, anyone could compute the secret.
    return this.#stored.state === 'ended' ? endedSecretOf(this.#sent) : null
  }

  reopen(): void {
    if (this.#stored.state === 'ended') this.#stored.state = 'none'
  }

  /** What the store has for it. @internal */
  get stored(): StoredSession {
    return this.#stored
  }

  /** Whether changes are refused because the response has been made. @internal */
  get isClosed(): boolean {
    return this.#committed
  }

  get isEnded(): boolean {
    return this.#stored.state === 'ended'
  }

  /** Whether another identifier took the place of the ended one. @internal */
  get isRenewed(): boolean {
    return this.isEnded && this.#stored.successor !== null
  }

  /** Whether the response depends on the session: the request looked it up, found or not, or changed it. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  /**
   * Stops recording changes, when the response is made.
   *
   * @returns Whether `commit()` has something to do.
   * @throws {Error} If a change was refused and its promise not awaited; once.
   */
  seal(): boolean {
    this.#isSealed = true
    const unhandled = this.#refusals?.takeUnhandled() ?? null
    // A refusal that nobody awaits would be lost silently: the response becomes the error.
    if (unhandled !== null && !this.#committed && !this.#isWithdrawn) throw unhandled.error
    // A pending read that nobody awaits: changes recorded when it ends are still part of the request, so commit() waits for it.
    // After a failure nothing more can become part of it.
    if (this.#stored.reading !== null && this.#stored.state === 'unread') {
      if (this.#stored.hasFailed) this.#close()
      return true
    }
    this.#close()
    if (this.#stored.state === 'ended') return this.#pending.hasRemoved
    if (!this.#pending.isEmpty) return true
    const record = this.#stored.record
    return (
      record !== null && rolledExpiry(record, this.#services.policy, this.#stored.readAt) !== record.expiresAt
    )
  }

  /**
   * Applies the changes, once, when the response is made.
   *
   * @returns What to do with the cookie.
   * @throws {ServiceUnavailableException} If the store fails.
   * @throws {RangeError} If the entries are larger than the policy allows; nothing is written then.
   * @throws {TypeError} If the clock returns no valid time; nothing is written then.
   * @throws {BadRequestException} If the request has more session cookies than a browser sends; nothing is written then.
   */
  async commit(): Promise<CookieChange> {
    // The read was not awaited, or it failed.
    if (this.#stored.state === 'unread') await this.#stored.reading
    this.#close()
    // A request with an ended identifier adds nothing: its cookie would replace the browser's new one.
    if (this.#stored.state === 'ended' && !this.#pending.hasRemoved) return null
    // An invalid clock is a fault of the application and not of its store.
    readClock(this.#services.clock)
    const endsDuplicates = this.#endsDuplicates()
    if (endsDuplicates) assertFew(this.#duplicates)
    const writer = new SessionWriter(this.#services, this.#work())
    let change: CookieChange
    try {
      if (endsDuplicates) await endSessions(this.#services, this.#duplicates)
      change = await writer.write()
    } catch (cause) {
      publish('store-failed', { operation: 'commit', cause })
      throw new ServiceUnavailableException('Sessions cannot be written at the moment', { cause })
    }
    this.#writer = writer
    for (const listener of this.#listeners ?? [])
      listener(writer.survived && !this.#addsNothing && !this.#isWithdrawn)
    return this.#cookieAfter(change)
  }

  /**
   * Drops the values that the request set, because its response is an internal error. Removals, a rotation and a destruction
   * stay. Values set afterwards belong to the error page only, and are allowed until `seal()`, `commit()` or `takeBack()`.
   *
   * @internal
   */
  withdraw(): void {
    this.#isWithdrawn = true
    this.#committed = false
    this.#pending.withdraw()
    const withdrawals = this.#withdrawals ?? []
    this.#withdrawals = null
    for (const listener of withdrawals) listener()
  }

  /**
   * Removes the values that the request set from the store again, when its response became an internal error after
   * `commit()`.
   *
   * @returns What to do with the cookie, instead of the result of `commit()`.
   * @internal
   */
  async takeBack(): Promise<CookieChange> {
    this.withdraw()
    this.#close()
    return this.#writer === null ? null : this.#cookieAfter(await this.#writer.takeBack())
  }

  /**
   * @param listener Called when the store has confirmed the changes, with whether the values survived: another request may
   * have ended the session first, or the response is an error. Not called when the store fails or no record exists.
   * @internal
   */
  whenConfirmed(listener: (survived: boolean) => void): void {
    ;(this.#listeners ??= []).push(listener)
  }

  /**
   * @param listener Called when the values that were set are dropped, before the error page is made.
   * @internal
   */
  whenWithdrawn(listener: () => void): void {
    ;(this.#withdrawals ??= []).push(listener)
  }

  #close(): void {
    this.#committed = true
    // The error page may have set values for itself.
    if (this.#isWithdrawn) this.#pending.dropSet()
  }

  #work(): SessionWork {
    const pending = this.#pending
    const { maxBytes } = this.#services.policy
    return {
      id: this.#id,
      record: this.#stored.record,
      behind: this.#stored.behind,
      readAt: this.#stored.readAt,
      changes: this.#addsNothing
        ? pending.removalsToWrite()
        : pending.toWrite(this.#stored.record?.data, maxBytes),
      keepingNewer: pending.keepingNewer,
      dropped: this.#addsNothing ? pending.entries : null,
      next: pending.next,
      isDestroyed: pending.isDestroyed,
      restartsLifetime: pending.restartsLifetime,
    }
  }

  // A cookie of this request would replace one that another request set, or add to several.
  get #addsNothing(): boolean {
    return this.#stored.state === 'ended' || this.#duplicates.length > 0
  }

  // The browser may mean any of several cookies, so ending an identity ends all of them.
  #endsDuplicates(): boolean {
    if (this.#duplicates.length === 0) return false
    return this.#pending.isDestroyed || this.#pending.removes(IDENTITY_KEY)
  }

  #cookieAfter(change: CookieChange): CookieChange {
    const isAmbiguous = this.#duplicates.length > 0 && this.#pending.hasSet
    return change ?? (isAmbiguous || this.#endsDuplicates() ? '' : null)
  }

  /** The changes to add to; created by the first change, because most requests only read. */
  #changing(): PendingChanges {
    if (this.#pending === PendingChanges.none) this.#pending = new PendingChanges()
    return this.#pending
  }

  // The session has nearly always been read already: an async function would cost more than the work.
  #whenRead<T>(work: () => T): Promise<T> {
    this.#isUsed = true
    return this.#stored.state === 'unread'
      ? ignoreFailure(this.#stored.read().then(work))
      : Promise.resolve(work())
  }

  #ofKey<T>(key: unknown, work: () => T): Promise<T> {
    return isKey(key) ? this.#whenRead(work) : this.refuse(notAKey(key))
  }

  #change(work: (pending: PendingChanges) => void): Promise<void> {
    this.#isUsed = true
    // After the commit, a session that was not read is not looked up in vain.
    if (this.#committed) return this.refuse(new LateChange())
    if (this.#stored.state !== 'unread') {
      work(this.#changing())
      return Promise.resolve()
    }
    // Checked after the read, in the tick of the change: changes that began before the commit are included, later ones refused.
    const changed = this.#stored.read().then(() => {
      if (this.#committed) throw new LateChange()
      work(this.#changing())
    })
    return warnWhenLate(changed)
  }

  /** The flash messages that it keeps, for a request. */
  messages(request: Showing | null): FlashMessages {
    return new FlashMessages(this, request)
  }

  #value(key: string): unknown {
    const text = this.#pending.text(key, this.#stored.record?.data)
    if (text === undefined) return undefined
    try {
      return valueOf(text)
    } catch {
      publish('session-malformed', { part: 'entry', key })
      return undefined
    }
  }
}
