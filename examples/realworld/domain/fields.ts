import { z } from 'zod'

// The name of the field stands before these messages: "title can't be blank".
const BLANK = "can't be blank"

const text = (max: number) =>
  z.string(BLANK).trim().min(1, BLANK).max(max, `is too long (at most ${max} characters)`)

const password = z.string(BLANK).min(1, BLANK).max(200, 'is too long (at most 200 characters)')
const tagList = z.array(text(40)).max(20, 'has more than 20 tags')
const url = z.literal('').or(z.url({ protocol: /^https$/, error: 'is not an address with https://' }))

/** What may be missing is null in the database. */
const orNull = (schema: z.ZodType<string>) => schema.nullable().transform((value) => value || null)

export const Credentials = z.object({ email: text(254), password })

export const Registration = z.object({
  username: text(40).regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u,
    'has other characters than letters, digits, . _ -',
  ),
  email: text(254).regex(/^\S+@\S+$/, 'is not an e-mail address'),
  password: password.min(8, 'is too short (at least 8 characters)'),
})
export const UserChanges = Registration.extend({
  bio: orNull(z.string().trim().max(2000, 'is too long (at most 2000 characters)')),
  image: orNull(url),
}).partial()

export const ArticleFields = z.object({
  title: text(200),
  description: text(500),
  body: text(100_000),
  tagList: tagList.default([]),
})
export const ArticleChanges = ArticleFields.extend({ tagList }).partial()

export const CommentFields = z.object({ body: text(10_000) })

/** A part of the articles: all conditions that are given must hold. */
export const Filter = z.object({
  tag: z.string().optional(),
  author: z.string().optional(),
  favorited: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
})

export type Credentials = z.infer<typeof Credentials>
export type Registration = z.infer<typeof Registration>
export type UserChanges = z.infer<typeof UserChanges>
export type ArticleFields = z.infer<typeof ArticleFields>
export type ArticleChanges = z.infer<typeof ArticleChanges>
export type CommentFields = z.infer<typeof CommentFields>
export type Filter = z.infer<typeof Filter>
