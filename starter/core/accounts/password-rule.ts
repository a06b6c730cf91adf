import { PasswordRule } from 'sallyport-app/passwords'
import { BRAND } from '../brand.ts'

const MIN_PASSWORD_CHARACTERS = 8

/** Judges new passwords: none may be little more than the name of this site, or what everybody knows of its owner. */
export const PASSWORD_RULE: PasswordRule = new PasswordRule({
  minCharacters: MIN_PASSWORD_CHARACTERS,
  words: [BRAND.name],
})
