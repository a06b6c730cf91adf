/** Its texts in English. */
export const en = {
  'mail.lost-ready.subject': 'You can set up a new second step now',
  'mail.lost-ready.text':
    'Hello,\n\nThe waiting time for the recovery of your second step is over. Sign in with your password, choose “Lost access” on the page of the second step, and go on there until {at} UTC:\n\n{url}\n\nYour present second step works until the new one is set up. If you find it before, just sign in: that stops the recovery.\n\nIf it was not you who started the recovery, stop it with this link, and change your password:\n\n{cancel}',
}
