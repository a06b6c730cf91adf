/** The sessions of an account. */
export const sessions = {
  'device.both': '{browser} on {system}',
  'device.one': '{name}',
  'device.unknown': 'Unknown browser',
  'device.place': 'network {place}',
  'sessions.proven.password': 'password',
  'sessions.proven.totp': 'authenticator app',
  'sessions.proven.recovery': 'recovery code',
}
