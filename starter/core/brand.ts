/**
 * What the application is called: on pages, in subjects of emails, in authenticator apps, in the dialogs of browsers and in the terminal.
 * Its colors are at the top of `assets/style.css`, its logo in `assets/icon.svg` and `views/parts/brand.edge`, and the sender of its
 * emails is `MAIL_FROM`.
 */
export const BRAND = {
  name: 'Sallyport starter',
}
