import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** What the links of parts do: a part adds its own to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartLinks {}

/** What the links in mails do. */
export type LinkPurpose = keyof PartLinks | 'confirmation' | 'enrollment' | 'password-reset'

/** A token that goes into the link of a mail, and what is stored of it. */
export interface LinkToken {
  /** 32 random bytes in base64url. */
  readonly token: string
  /** The digest that finds the row. */
  readonly digest: string
}

/** Makes the token of a link. Only its digest is stored: who reads the database cannot use the link. */
export function createLinkToken(purpose: LinkPurpose): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, digest: linkDigest(purpose, token) }
}

/**
 * A token is random and long, so a plain digest is enough, and it finds the row. The purpose is part of it: a token of one kind of link
 * is useless for another.
 */
export function linkDigest(purpose: LinkPurpose, token: string): string {
  return createHash('sha256').update(`${purpose}:${token}`).digest('base64url')
}
