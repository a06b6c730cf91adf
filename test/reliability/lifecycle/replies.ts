import type { Answer } from './deeds.ts'
import { type CookieChange, LostTrack, type Model, type Visit } from './model.ts'

/** What came back of a request. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** Identifier set, '' when the cookie was expired, null when it was left alone. */
  readonly cookie: string | null
  readonly askedAt: number
}

/** What the model says. */
export interface Outcome {
  readonly answer: Answer
  readonly cookie: CookieChange
}

/** Both. */
export interface Result {
  /** What the model says. */
  readonly outcome: Outcome
  /** What came back. */
  readonly reply: Reply
}

/**
 * @param visit Session of a request in the model.
 * @param answer What the application answers.
 * @returns The answer and the change of the cookie; a 503 when the session cannot be found any more.
 */
export function leave(visit: Visit, answer: Answer): Outcome {
  try {
    return { answer, cookie: visit.commit() }
  } catch (error) {
    if (!(error instanceof LostTrack)) throw error
    return { answer: { status: 503 }, cookie: null }
  }
}

/**
 * The same for a request that leaves after another one and after a step of the clock: a store may have taken away, as
 * dated ahead, what tells where its session went.
 *
 * @param model The model; it goes the way that the reply tells.
 * @param request Its session in the model, what the application answers, and what came back.
 * @returns The answer and the change of the cookie.
 */
export function leaveLate(
  model: Model,
  { visit, answer, reply }: { visit: Visit; answer: Answer; reply: Reply },
): Outcome {
  const before = model.clone()
  const outcome = leave(visit, answer)
  if (reply.status !== 503 || !visit.mayHaveLostTrack) return outcome
  model.become(before)
  return { answer: { status: 503 }, cookie: null }
}

/**
 * @param outcome What the model says.
 * @param reply What came back.
 * @returns How they differ; null when they do not.
 */
export function replyDifference({ answer, cookie }: Outcome, reply: Reply): string | null {
  const expected = {
    status: answer.status,
    cookie: cookie === null ? 'none' : cookie === 'expired' ? 'expired' : 'new',
    says: answer.shown ?? (answer.as === undefined ? null : { as: answer.as }),
  }
  const { token: _, ...shown } = (reply.status === 200 ? reply.body : {}) as Record<string, unknown>
  const actual = {
    status: reply.status,
    cookie: reply.cookie === null ? 'none' : reply.cookie === '' ? 'expired' : 'new',
    says: reply.status === 200 ? shown : null,
  }
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(actual)]
  return wanted === got ? null : `expected ${wanted}, got ${got}`
}
