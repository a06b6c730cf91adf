import type { FactorKind, UsableFactor } from '../../identity/factors/second-factors.ts'
import { type PageMessage, toMinutes } from '../presentation.ts'

/** A factor as the pages of the second door name it. */
export interface FactorChoice {
  /** Identifier, for the form that chooses it. */
  readonly id: string
  /** Kind and name. */
  readonly name: PageMessage
  /** How long it is locked; undefined when it is not. */
  readonly locked: PageMessage | undefined
}

/** What a page of the second door offers. */
export interface FactorChoices {
  /** The factor of the page; undefined when the account has none of that kind. */
  readonly factor: FactorChoice | undefined
  /** The other ones. */
  readonly others: readonly FactorChoice[]
}

/**
 * @param kind What the page asks for.
 * @param usable Factors of the account, the one that was used last first.
 * @param chosen The one that was chosen, if any.
 * @returns The factor of the page, and the other ones. Passkeys share a page: the browser offers all of them.
 */
export function choicesOf(
  kind: FactorKind,
  usable: readonly UsableFactor[],
  chosen: UsableFactor | undefined,
): FactorChoices {
  const isHere = (factor: UsableFactor): boolean =>
    factor.kind === kind || (kind === 'totp' && factor.kind === 'hotp')
  const shown = chosen !== undefined && isHere(chosen) ? chosen : usable.find(isHere)
  const others = usable.filter((factor) =>
    kind === 'passkey' ? factor.kind !== 'passkey' : factor.id !== shown?.id,
  )
  return { factor: shown && toChoice(shown), others: others.map(toChoice) }
}

function toChoice({ kind, id, label, lockedSeconds }: UsableFactor): FactorChoice {
  const locked =
    lockedSeconds === 0
      ? undefined
      : { id: 'challenge.locked-for', values: { minutes: toMinutes(lockedSeconds) } }
  return { id, name: { id: `factor.${kind}`, values: { label } }, locked }
}
