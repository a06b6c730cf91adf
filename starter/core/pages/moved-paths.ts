import { MovedPaths } from 'sallyport-app/pages'

/** Old paths, and one that password managers know, with those that take their places. Only what was tried out is a 301. */
export const MOVED_PATHS: MovedPaths = new MovedPaths({
  '/signin': ['/login', 301],
  '/user/login': ['/login', 301],
  '/profile': ['/account', 302],
  // W3C, "A Well-Known URL for Changing Passwords". It may lead elsewhere tomorrow.
  '/.well-known/change-password': ['/account/password', 302],
})
