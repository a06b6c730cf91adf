export const sessions = {
  'device.both': '{browser} unter {system}',
  'device.one': '{name}',
  'device.unknown': 'Unbekannter Browser',
  'device.place': 'Netz {place}',
  'sessions.proven.password': 'Passwort',
  'sessions.proven.totp': 'Authenticator-App',
  'sessions.proven.recovery': 'Wiederherstellungscode',
}
