/** What no message in English says. */
export const avoided: readonly (readonly [words: RegExp, why: string])[] = [
  [/\bdoors?\b|second factor/i, 'people know it as the second step'],
  [/\be-?mails?\b(?<!email|emails)|\bmails?\b/i, 'the word is email'],
  [/false site/, 'the word is fake'],
  [/\b(whoever|somebody|anybody)\b/i, 'the glossary says someone, anyone, the account owner'],
  [/\blog(ged)? ?(in|out|on)\b/i, 'people sign in and sign out'],
  [/\bsessions\b[^.,]* end(ed|s)?\b|\bend(ed|s)? (\w+ )*sessions?\b/i, 'sessions are signed out'],
]
