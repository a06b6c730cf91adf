/** Its texts in English. */
export const en = {
  'activity.title': 'Activity',
  'activity.lead': 'Sign-ins and changes to your account. Kept for at least 90 days.',
  'activity.empty': 'Nothing has happened yet.',
  'activity.pages': 'Pages of the activity',
  'activity.newest': 'Newest entries',
  'activity.older': 'Older entries',
  'activity.export': 'All of it as a file:',
  'activity.all': 'All activity',
  'activity.leaving': 'You can take the record of your account with you first, as a file:',
}
