import { z } from 'zod'

/** The name of the field stands before these messages: "title can't be blank". */
export const messages = {
  required: "can't be blank",
  too_short: 'is too short (at least {minimum} characters)',
  too_long: 'is too long (at most {maximum})',
}
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u
const PAGE_SIZE = 10

const text = (max: number) => z.string().trim().min(1).max(max)
const words = (value: string): string[] => value.match(/[^\s,]+/g) ?? []

const newPassword = z.string().min(8).max(200)
const tags = z.array(text(40)).max(20, 'has more than 20 tags')
const tagList = tags.transform((names) => [...new Set(names)].toSorted())
const url = z.url({ protocol: /^https$/, error: 'is not an address with https://' }).or(z.literal(''))
// What may be missing is null in the database.
const orNull = (schema: z.ZodType<string>) => schema.nullable().transform((value) => value || null)

export const Credentials = z.object({ email: text(254), password: z.string().min(1).max(200) })
export const Registration = z.object({
  username: text(40).regex(NAME, 'has characters other than letters, digits, . _ and -'),
  email: text(254).regex(/^\S+@\S+$/, 'is not an e-mail address'),
  password: newPassword,
})
export const Settings = Registration.extend({
  bio: orNull(z.string().trim().max(2000)),
  image: orNull(url),
  // Empty: the password stays as it is.
  password: newPassword.or(z.literal('').transform(() => undefined)).optional(),
})
export const UserChanges = Settings.extend({ password: newPassword }).partial()

export const ArticleFields = z.object({
  title: text(200),
  description: text(500),
  body: text(100_000),
  tagList: tagList.default([]),
})
export const ArticleChanges = ArticleFields.extend({ tagList }).partial()
/** An article as its form has it: commas or blanks separate its tags. */
export const Draft = ArticleFields.extend({ tagList: z.string().transform(words).pipe(tagList) })
export const CommentFields = z.object({ body: text(10_000) })

/** Which articles: all conditions that are given must hold. */
export const Filter = z.object({
  tag: z.string().optional(),
  author: z.string().optional(),
  favorited: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
})
/** Which articles, in the address of a page. What makes no sense there is as if it were missing. */
export const Choice = z.object({
  feed: z.literal('yours').optional().catch(undefined),
  tag: z.string().optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})

export type Credentials = z.infer<typeof Credentials>
export type Registration = z.infer<typeof Registration>
export type UserChanges = z.infer<typeof UserChanges>
export type ArticleFields = z.infer<typeof ArticleFields>
export type ArticleChanges = z.infer<typeof ArticleChanges>
export type Filter = z.infer<typeof Filter>
export type Choice = z.infer<typeof Choice>

export const partOf = ({ page }: Choice) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })
