import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A token that goes into the link of a mail, and what is stored of it. */
export interface LinkToken {
  /** 32 random bytes in base64url. */
  readonly token: string
  /** The digest that finds the row. */
  readonly digest: string
}

/**
 * Makes the token of a link. Only its digest is stored: who reads the database cannot use the link.
 *
 * @param purpose What the link does.
 * @returns The token and its digest.
 */
export function createLinkToken(purpose: string): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, digest: linkDigest(purpose, token) }
}

/**
 * Digests the token of a link. It is random and long, so a plain digest is enough, and it finds the row. The purpose is part of it: a
 * token of one kind of link is useless for another.
 *
 * @param purpose What the link does.
 * @param token The token.
 * @returns What is stored of it.
 */
export function linkDigest(purpose: string, token: string): string {
  return createHash('sha256').update(`${purpose}:${token}`).digest('base64url')
}
