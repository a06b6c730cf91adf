import { inject } from 'sallyport'
import type { LimitedSubject } from 'sallyport-app/limits'
import { Parts } from '../part.ts'
import { Settings } from '../settings.ts'
import { AUTHENTICATOR_LIMIT, RECOVERY_LIMIT } from '../limits/limits.ts'
import {
  CODE_PAGE,
  type CodeMethod,
  type FactorKind,
  type HeldKind,
  type SecondFactorKind,
  type SecondProof,
  type StandInKinds,
} from './factor-kinds.ts'
import { TotpCodes } from './totp-code.ts'

/** @returns The limit of its codes. */
export function authenticatorLimit(_accountId: string, id: string): LimitedSubject {
  return AUTHENTICATOR_LIMIT.of(id)
}

const TOTP = {
  kind: 'totp',
  isHeld: true,
  page: CODE_PAGE,
  limit: authenticatorLimit,
  setUp: 'enrollment:start',
  add: { route: 'security:add', text: 'security.add' },
  codes: TotpCodes,
} as const

const RECOVERY: SecondFactorKind = {
  kind: 'recovery',
  isHeld: false,
  page: {
    route: 'account:recovery',
    template: 'account/recovery',
    title: 'recovery.title',
  },
  limit: (accountId) => RECOVERY_LIMIT.of(accountId),
}

/** The kinds of second factors that this application knows: its own, and those of its parts. */
export class FactorKinds {
  readonly #settings = inject(Settings)

  /** All of them. Recovery codes come last: they are for a loss. */
  readonly all: readonly SecondFactorKind[] = [
    TOTP,
    ...inject(Parts).all.flatMap(({ factorKinds = [] }) => factorKinds),
    RECOVERY,
  ]

  /** Those that accounts hold. */
  readonly held: readonly HeldKind[] = this.all
    .filter(({ isHeld }) => isHeld)
    .map(({ kind }) => kind as HeldKind)

  /** Authenticators that owners may add. */
  readonly authenticators: readonly HeldKind[] = this.all
    .filter(({ codes, isOffered }) => codes !== undefined && isOffered?.(this.#settings) !== false)
    .map(({ kind }) => kind as HeldKind)

  /** Those that stand in for one. */
  readonly standIns: readonly (SecondFactorKind & { readonly kind: keyof StandInKinds })[] = this.all.filter(
    (each): each is SecondFactorKind & { readonly kind: keyof StandInKinds } => !each.isHeld,
  )

  /** Those that are both factors where their user was verified. */
  readonly alone: ReadonlySet<FactorKind> = new Set(
    this.all.filter(({ standsAlone }) => standsAlone).map(({ kind }) => kind),
  )

  readonly #codes: ReadonlyMap<FactorKind, CodeMethod> = new Map(
    this.all.flatMap(({ kind, codes }) => (codes === undefined ? [] : [[kind, inject(codes)]])),
  )

  /** @throws {Error} If no part of this application has it. */
  of(kind: FactorKind): SecondFactorKind {
    const found = this.find(kind)
    if (found === undefined)
      throw new Error(`Cannot use a factor of the kind "${kind}": its part is missing from parts.ts`)
    return found
  }

  /** @returns How its codes are made; undefined when it has none, or no part of this application has it. */
  codesOf(kind: FactorKind): CodeMethod | undefined {
    return this.#codes.get(kind)
  }

  /** @returns The kind of that name; undefined when there is none. */
  find(value: unknown): SecondFactorKind | undefined {
    return this.all.find(({ kind }) => kind === value)
  }

  /**
   * @param kinds Kinds that fulfill a duty. Default: any does.
   * @returns What an account with this duty sets up: an authenticator app, unless that is none of them.
   */
  toSetUp(kinds: readonly FactorKind[] = this.held): SecondFactorKind & { readonly setUp: string } {
    const found = this.all.find(({ kind, setUp }) => setUp !== undefined && kinds.includes(kind))
    return { ...TOTP, ...found }
  }

  /**
   * Whoever proves a factor has not lost all of them, and a recovery code replaces at once what is lost. Whatever else stands in for a
   * factor does so at the door only, so a recovery or a reset that waits goes on.
   *
   * @param proof What opened the second door. Default: the password alone.
   * @returns Whether a sign-in with it ends what is under way to replace a lost factor.
   */
  endsLoss(proof: SecondProof | undefined): boolean {
    return proof === 'recovery' || this.find(proof)?.isHeld === true
  }
}
