/** What is wrong with credentials: the domain `auth`. */
export const auth = {
  invalid_credentials: 'Invalid credentials',
  sign_in_refused: 'This address and password do not match. Check both and try again.',
  invalid_code: 'That code is wrong',
  same_password: 'This is your present password. Choose another one.',
  other_address: 'This is not the address of your account.',
  same_address: 'This is your present address. Type another one.',
  password_not_proven: 'That password is wrong. Type it again.',
  code_not_proven:
    'That code is wrong or was used before. Type the one that your app or code generator shows now.',
  not_proven:
    'The password or the code is wrong. Type both again, with the code that your app or code generator shows now.',
  recovery_code_not_proven: 'That recovery code is wrong or was used before. Take another one of your list.',
  recovery_not_proven:
    'The password or the recovery code is wrong. Type both again, with a code that was not used before.',
  wrong_first_code: 'That code is wrong. Type the one that the app shows now.',
  too_many_tokens: 'You have as many tokens as an account may have. Revoke those that you do not need.',
  no_scope: 'Choose at least one permission.',
  scope_not_held: 'A token cannot do what your account may not do.',
  wrong_code:
    'That code is wrong or was used before. {triesLeft, plural, one {One attempt is left.} other {# attempts are left.}}',
}

/** What is wrong with a field: the domain `validation`. */
export const validation = {
  required: 'Fill in this field',
  invalid_email: 'Enter an email address, such as ada@example.com',
  too_short: '{minimum, plural, one {Use at least # character} other {Use at least # characters}}',
  too_long: '{maximum, plural, one {Use at most # character} other {Use at most # characters}}',
  easy_to_guess:
    'This password is easy to guess. Avoid common words, your name, your email address and the name of this site.',
  wrong_length: 'Use another number of characters',
  too_low: 'This number is too low',
  too_high: 'This number is too high',
  not_above: 'This number is too low',
  not_below: 'This number is too high',
  not_a_number: 'Enter a number',
  not_whole: 'Enter a whole number',
  not_multiple: 'Enter another number',
  too_few: 'Choose more',
  too_many: 'Choose fewer',
  wrong_count: 'Choose another number',
  not_an_option: 'Choose one of the options',
  too_early: 'This is too early',
  too_late: 'This is too late',
  invalid_url: 'Enter a web address, such as https://example.com',
  invalid_date: 'Enter a date',
  invalid_time: 'Enter a time',
  invalid_date_time: 'Enter a date and a time',
  file_too_small: 'This file is too small',
  file_too_large: 'This file is too large',
  files_too_large: 'These files are too large together',
  too_many_files: 'Choose fewer files',
  file_required: 'Choose a file',
  wrong_file_type: 'Choose a file of another type',
  wrong_type: 'This field was sent in a way that cannot be read. Fill it in once more',
  unknown_field: 'This form has no such field',
  invalid: 'Check this field',
  invalid_format:
    '{format, select, mailbox {Before the @, use letters without accents, digits and signs such as . _ + -: many email servers accept no others} label {Use letters or digits on one line, without control characters and without characters that turn the direction of text} six_digits {Six digits are needed. This did not count as an attempt.} eight_digits {Eight digits are needed. This did not count as an attempt.} recovery_code {A recovery code has twelve letters and digits, such as ABCD-EFGH-JKMN. This did not count as an attempt.} other {Check this field}}',
}
