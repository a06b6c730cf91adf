/** A color of light pages, and of dark ones. */
type Color = readonly [light: string, dark: string]

/** What this application is called and looks like: everything of a product's own that its pages, emails and programs share. */
export const BRAND = {
  /** On pages, in subjects of emails, in authenticator apps, in the dialogs of browsers and in the terminal. */
  name: 'Sallyport starter',
  /** The line in the foot of every page, by language. A language without one has the first. */
  about: {
    en: 'Made with the Sallyport framework',
    de: 'Mit dem Framework Sallyport gemacht',
  } as Readonly<Record<string, string>>,
  /** The sender of emails where `MAIL_FROM` is not set, such as `Example App <accounts@app.example>`; empty for none. */
  sender: '',
  /** Beside the name on every page, as SVG: `currentColor` is the color of the text. */
  logo: '<svg width="26" height="26" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.8" stroke-linecap="round" aria-hidden="true"><path d="M5 28V15a11 11 0 0 1 22 0v13"/><path d="M11 28V16a5 5 0 0 1 10 0v12"/></svg>',
  /** In the tabs of browsers, as SVG. */
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#17605a"/><path d="M7 26V14a9 9 0 0 1 18 0v12" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><path d="M12 26V15a4 4 0 0 1 8 0v11" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>',
  /** Custom properties of `assets/style.css`, which has the others: buttons and links, and the gate beside the sign-in. */
  colors: {
    accent: ['#0f5c55', '#7fd1c4'],
    'accent-strong': ['#0a4640', '#a9e2d9'],
    'on-accent': ['#ffffff', '#06201d'],
    'accent-soft': ['#e0efeb', '#17322e'],
    gate: ['#0d3b37', '#0b2320'],
    'on-gate': ['#e9f3f0', '#d8ece7'],
    lamp: ['#efc06a', '#efc06a'],
  } as Readonly<Record<string, Color>>,
}
