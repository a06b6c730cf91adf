import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { hasCurrentCredentials } from 'sallyport-app/sessions'
import { Users } from '../accounts/users.ts'
import { challengeOf, hasPendingLogin, readPendingLogin } from '../challenges/pending-login.ts'
import type { AtDoor, DoorPage, FactorKind } from '../factors/factor-kinds.ts'
import { FactorLocks, type FactorsHere } from '../factors/factor-locks.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { SecondFactors, type UsableFactor } from '../factors/second-factors.ts'
import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'
import type { SigningIn } from '../sign-in-step.ts'

/** The second door of the pending login of a session, as it is in this request. */
export interface Door extends FactorsHere {
  /** Whose door it is: the password was proven in this session. `usable` is what opens it, and at its end what stands in for a factor. */
  readonly proof: SigningIn & { readonly challengeId: string }
}

/** Why there is no door. */
export type NoDoor = 'none' | 'expired' | 'changed' | 'unavailable'

/** What opens the second doors of accounts. */
export class Doors {
  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)
  readonly #locks = inject(FactorLocks)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #kinds = inject(FactorKinds)
  readonly #clock = inject(Clock)
  readonly #atDoor: ReadonlyMap<FactorKind, AtDoor> = new Map(
    this.#kinds.all.flatMap(({ kind, atDoor }) => (atDoor === undefined ? [] : [[kind, inject(atDoor)]])),
  )

  /** Reads the account again, which may have changed since its password was proven: only the session says whose door it is. */
  async find(context: HttpContext): Promise<Door | NoDoor> {
    const session = context.session()
    const pending = await readPendingLogin(session, this.#clock)
    const isAnonymous =
      !context.auth().isAuthenticated() && (await this.#sessions.identifier(session)) === null
    const challenge = await challengeOf(session)
    if (!isAnonymous || pending === undefined || challenge === undefined)
      return (await hasPendingLogin(session)) ? 'expired' : 'none'
    const { identifier, expiresAt } = pending
    const identity = await this.#users.authenticationIdentity(identifier)
    if (identity === null) return 'unavailable'
    if (!(await hasCurrentCredentials(session, identity))) return 'changed'
    const isByMail = !challenge.isByPassword
    const proven = isByMail ? {} : { password: expiresAt - PENDING_LOGIN_SECONDS }
    const proof = { identifier, identity, proven, isByMail, challengeId: challenge.id }
    return { proof, ...(await this.#locks.here(session, identifier, await this.#usable(proof))) }
  }

  /** @returns The page of a kind. */
  pageOf(kind: FactorKind): DoorPage {
    return this.#kinds.of(kind).page
  }

  /** @returns What the page of a kind needs besides. */
  async dataOf(
    kind: FactorKind,
    context: HttpContext,
    { proof }: Door,
  ): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#atDoor.get(kind)?.pageData?.(context, proof.identifier, proof.challengeId)) ?? {}
  }

  async #usable(proof: SigningIn): Promise<readonly UsableFactor[]> {
    const enrolled = await this.#factors.usable(proof.identifier)
    const held = new Set(enrolled.filter(({ is }) => is.isHeld).map(({ kind }) => kind))
    const accepted = await this.#policy.acceptedKinds(proof.identity, held)
    return [...enrolled.filter(({ kind }) => accepted.has(kind)), ...(await this.#standIns(proof))]
  }

  // What stands in for a factor here, and nowhere else.
  async #standIns({ identifier, identity, isByMail }: SigningIn): Promise<readonly UsableFactor[]> {
    const found: UsableFactor[] = []
    // Only the password itself, or one mailbox would open both doors.
    if (isByMail === true) return found
    for (const is of this.#kinds.all) {
      if ((await this.#atDoor.get(is.kind)?.isOffered?.(identity)) !== true) continue
      const lockedSeconds = await this.#factors.lockedSeconds(identifier, is.kind)
      found.push({ kind: is.kind, id: is.kind, label: '', usedAt: null, lockedSeconds, is })
    }
    return found
  }
}
