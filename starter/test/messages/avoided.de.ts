/** What no message in German says. */
export const avoided: readonly (readonly [words: RegExp, why: string])[] = [
  [/\bTür(en)?\b|zweite[nmrs]? Faktor/i, 'people know it as the second step'],
  [/\b(einloggen|ausloggen|eingeloggt|ausgeloggt)\b/i, 'people sign in and sign out'],
  [/Sitzungen[^.,]* (enden|beendet)\b|beenden Sie [^.,]*Sitzung/i, 'sessions are signed out'],
  [/\b(du|dein|deine|deinen|dich|dir)\b/i, 'people are addressed politely'],
  [/vertraute[nmrs]? Browser|Browser vertraut/i, 'a trusted browser is vertrauenswürdig'],
  [/\bhinter (dem|einem) (Sie|Link)|\bDahinter\b|falsche[nrs]? Seite/, 'this is translated word by word'],
  [/"|“[^“]*”/, 'German quotation marks are „ and “'],
]
