import type { Texts } from './language.ts'

const en = {
  'device.both': '{browser} on {system}',
  'device.one': '{name}',
  'device.unknown': 'Unknown browser',
  'device.place': 'network {place}',
  'sessions.proven.password': 'password',
  'sessions.proven.totp': 'authenticator app',
  'sessions.proven.recovery': 'recovery code',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'device.both': '{browser} unter {system}',
  'device.one': '{name}',
  'device.unknown': 'Unbekannter Browser',
  'device.place': 'Netz {place}',
  'sessions.proven.password': 'Passwort',
  'sessions.proven.totp': 'Authenticator-App',
  'sessions.proven.recovery': 'Wiederherstellungscode',
}

/** The sessions of an account. */
export const sessions: Texts<keyof typeof en> = { en, de }
