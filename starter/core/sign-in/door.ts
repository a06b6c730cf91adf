import { type HttpContext, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { LimitedSubject } from 'sallyport-app/limits'
import type { Account } from '../accounts/account.ts'
import type { AuditEvent } from '../audit/audit-trail.ts'
import { chosenFactor, ensureChallenge } from '../challenges/pending-login.ts'
import type { PendingChallenge } from '../factors/code-check.ts'
import type { AtDoor, DoorPage, FactorKind } from '../factors/factor-kinds.ts'
import { FactorLocks } from '../factors/factor-locks.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { type LockableFactor, SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import type { PageState } from '../pages/page-controller.ts'
import type { SigningIn } from '../sign-in-step.ts'

/** The second door of the pending login of a session, as it is in this request. */
export interface Door {
  /** Whose door it is: the password was proven in this session. */
  readonly proof: SigningIn
  /** Identifier of the pending login. */
  readonly challengeId: string
  /** What counts the tries of this browser, where nothing is locked in it; undefined where the locks hold. */
  readonly unlock: LimitedSubject | undefined
  /** What opens it: the factors, the one that was used last first, and then what stands in for one. */
  readonly usable: readonly UsableFactor[]
  /** The one that was chosen, otherwise the one that was used last, locked or not; undefined where there is none. */
  readonly chosen: UsableFactor | undefined
  /** The kinds that open it. */
  readonly accepted: ReadonlySet<FactorKind>
}

/** The field of a form that asks for a code. */
export interface TypedCode {
  readonly code: string
}

/** A code, or a response, that was sent to the second door. */
export interface DoorAttempt {
  /** What it is of: its kind, and the identifier of the authenticator that was asked for. */
  readonly factor: LockableFactor
  /** What is recorded of a wrong one. Default: `verify` has recorded it. */
  readonly refusedAs?: AuditEvent
  /** Checks it, and uses it up in a transaction that begins with `reserve` and ends with `accepted`. */
  readonly verify: (principal: Account, challenge: PendingChallenge) => Promise<boolean>
  /** What follows the sign-in. Default: nothing. */
  readonly after?: () => Promise<void>
  /** What the page says of a wrong one. Default: that the code was wrong. */
  readonly wrong?: (triesLeft: number) => PageState
}

/** What opens the second doors of accounts. */
export class Doors {
  readonly #locks = inject(FactorLocks)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #kinds = inject(FactorKinds)
  readonly #atDoor: ReadonlyMap<FactorKind, AtDoor> = new Map(
    this.#kinds.all.flatMap(({ kind, atDoor }) => (atDoor === undefined ? [] : [[kind, inject(atDoor)]])),
  )

  /** @returns The door of a pending login, as it is now. */
  async read(session: Session, found: SigningIn): Promise<Door> {
    const { identifier, identity } = found
    const unlock = await this.#locks.unlockOf(session, identifier)
    const enrolled = await this.#factors.usable(identifier)
    const held = new Set(enrolled.filter(({ is }) => is.isHeld).map(({ kind }) => kind))
    const accepted = await this.#policy.acceptedKinds(identity, held)
    const factors = enrolled.filter(({ kind }) => accepted.has(kind))
    const all = [...factors, ...(await this.#standIns(found))]
    const usable = unlock === undefined ? all : all.map((factor) => ({ ...factor, lockedSeconds: 0 }))
    const chosen = await chosenFactor(session, usable)
    const { id: challengeId } = await ensureChallenge(session)
    return { proof: { ...found, held }, challengeId, unlock, usable, chosen, accepted }
  }

  /** @returns The page of a kind. */
  pageOf(kind: FactorKind): DoorPage {
    return this.#kinds.of(kind).page
  }

  /** @returns What the page of a kind needs besides. */
  async dataOf(
    kind: FactorKind,
    context: HttpContext,
    { proof, challengeId }: Door,
  ): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#atDoor.get(kind)?.pageData?.(context, proof.identifier, challengeId)) ?? {}
  }

  // What stands in for a factor here, and nowhere else.
  async #standIns({ identifier, identity, isByMail }: SigningIn): Promise<readonly UsableFactor[]> {
    const found: UsableFactor[] = []
    // Only the password itself, or one mailbox would open both doors.
    if (isByMail === true) return found
    for (const is of this.#kinds.all) {
      if ((await this.#atDoor.get(is.kind)?.isOffered?.(identity)) !== true) continue
      const lockedSeconds = await this.#factors.lockedSeconds(identifier, { kind: is.kind })
      found.push({ kind: is.kind, id: is.kind, label: '', usedAt: null, lockedSeconds, is })
    }
    return found
  }
}

/**
 * @returns The factor that the sign-in goes on with: the chosen one. In the place of a locked one it is another factor of the account, the
 *   first that is not locked any more. What stands in for one is asked for when it is chosen.
 */
export function openFactor({ usable, chosen }: Pick<Door, 'usable' | 'chosen'>): UsableFactor | undefined {
  if (chosen?.lockedSeconds === 0) return chosen
  const held = usable.filter(({ is }) => is.isHeld)
  const [first] = held.toSorted((one, other) => one.lockedSeconds - other.lockedSeconds)
  const isStuck = first === undefined || (chosen?.is.isHeld === false && first.lockedSeconds > 0)
  return isStuck ? (chosen ?? usable[0]) : first
}

/** @returns The factor that a page asks for; undefined when the account has none of it. */
export function shownOn(page: DoorPage, door: Door): UsableFactor | undefined {
  const open = openFactor(door)
  if (open?.is.page === page) return open
  const here = door.usable.filter(({ is }) => is.page === page)
  return here.find(({ lockedSeconds }) => lockedSeconds === 0) ?? here[0]
}
