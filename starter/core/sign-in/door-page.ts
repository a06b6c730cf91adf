import type { ShownForm, Submitted } from 'sallyport/input'
import type { AuditEvent } from '../audit/audit-trail.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import type { LockableFactor, UsableFactor } from '../factors/second-factors.ts'
import type { LimitedSubject } from '../limits/limit.ts'
import type { PageMessage } from '../pages/presentation.ts'

/** Fields of a form that asks for a code. */
export interface TypedCode {
  /** The code as it was typed. */
  readonly code: string
}

/** State of a page that asks for a code. */
export interface CodePage {
  /** The form. Default: an empty one. */
  readonly form?: ShownForm
  /** What does not concern the code. Default: nothing. */
  readonly warning?: PageMessage
  /** Message that says why to wait where its factor is locked. Default: that of too many wrong codes. */
  readonly lockedText?: string
  /** What is good to know before the code is typed, and no error. Default: nothing. */
  readonly notice?: PageMessage
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** What opens the door, where it was read since the last attempt. Default: it is read. */
  readonly usable?: readonly UsableFactor[]
}

/** What opens the second door of an account. */
export interface DoorKeys {
  /** The factors that open it, and what stands in for them. */
  readonly usable: readonly UsableFactor[]
  /** The kinds that the account holds. */
  readonly held: ReadonlySet<FactorKind>
  /** The kinds that open it. */
  readonly accepted: ReadonlySet<FactorKind>
}

/** A refused code that can be tried again, for {@link SecondDoor.refused}. */
export interface Refusal {
  /** Which factor it was. */
  readonly factor: LockableFactor
  /** Its kind, where the event does not name it. Default: the event does. */
  readonly asked?: FactorKind | undefined
  /** What the attempt was counted against in an unlocked browser. */
  readonly unlock?: LimitedSubject | undefined
  /** What is recorded. */
  readonly kind: AuditEvent
  /** Attempts left for this pending login. */
  readonly triesLeft: number
}

/** @returns State of the page that shows it again. */
export function wrongCode(form: Submitted<TypedCode>, triesLeft: number): CodePage {
  const refused = form.refuse({
    field: 'code',
    code: 'wrong_code',
    fallback: 'That code is wrong',
    domain: 'auth',
    parameters: { triesLeft },
  })
  return { form: refused, status: 422 }
}
