import { type LinkPurpose, linkDigest } from '../mail/link-tokens.ts'
import type { Attempts } from './attempts.ts'
import { HASH_LIMIT, hashSubject } from './limits.ts'

/** The link of a mail behind which a password is chosen. */
export interface UsedLink {
  /** What it does. */
  readonly purpose: LinkPurpose
  /** Its token, as the client sent it. */
  readonly token: string
}

/**
 * Counts a use of a link that costs a hash, whether or not the link is used up by it: a link that still works must not make hashes without
 * end.
 *
 * @param attempts The limits.
 * @param link The link.
 * @param use Uses it. It looks once more whether the link works before it hashes: a copy of the form may have waited for another one.
 * @returns What it returns; undefined when the link is outdated, which counts for nothing.
 * @throws {TooManyRequestsException} If the link was used too often.
 * @throws {ServiceUnavailableException} If too many of its uses wait.
 */
export function useLink<T>(
  attempts: Attempts,
  { purpose, token }: UsedLink,
  use: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const limited = { subject: hashSubject(linkDigest(purpose, token)), limit: HASH_LIMIT }
  return attempts.judge([limited], async (counted) => {
    const used = await use()
    if (used === undefined) await counted.takeBack()
    return used
  })
}
