import * as tokens from 'sallyport-app/mail'

/** What the links of parts do: a part adds its own to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartLinks {}

/** What the links in mails do. */
export type LinkPurpose = keyof PartLinks | 'confirmation' | 'enrollment' | 'password-reset'

/** Makes the token of a link, and the digest that is stored of it. */
export const createLinkToken: (purpose: LinkPurpose) => tokens.LinkToken = tokens.createLinkToken

/** The digest that finds the row of a token. */
export const linkDigest: (purpose: LinkPurpose, token: string) => string = tokens.linkDigest
