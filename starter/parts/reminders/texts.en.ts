/** Its texts in English. */
export const en = {
  'mail.lost-ready.subject': 'You can set up a new second step now',
  'mail.lost-ready.text':
    'Hello,\n\nthe waiting time for the recovery of your second step is over. Sign in with your password, choose “Lost access” on the page of the second step, and go on there until {at} UTC:\n\n{url}\n\nYour present second step works until the new one is set up. If you find it before, just sign in: that stops the recovery.\n\nIf it was not you who started the recovery, stop it with this link, and change your password:\n\n{cancel}',
  'mail.token-ends.subject': 'A token of your account ends soon',
  'mail.token-ends.text':
    'Hello,\n\nthe token “{name}” of your account ends on {at} UTC. Programs that use it are refused from then on.\n\nIf a program still needs it, make a new token and give it to the program before that:\n\n{url}\n\nOtherwise there is nothing to do.',
}
