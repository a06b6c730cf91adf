/** Its texts in English. */
export const en = {
  'profile.title': 'Profile',
  'profile.lead': 'How we address you, and where our emails reach you.',
  'profile.name': 'Name',
  'profile.name.hint': 'Administrators see it, too.',
  'profile.name.submit': 'Save the name',
  'profile.name.done': 'Name saved.',
  'event.name-changed': 'Name changed',
}
