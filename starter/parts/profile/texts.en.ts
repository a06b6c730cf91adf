/** Its texts in English. */
export const en = {
  'profile.title': 'Profile',
  'profile.lead': 'How this site addresses you, and where its mails reach you.',
  'profile.name': 'Name',
  'profile.name.hint': 'As you want to be addressed. Administrators see it, too.',
  'profile.name.submit': 'Save the name',
  'profile.name.done': 'Your name is saved.',
  'event.name-changed': 'Name changed',
}
