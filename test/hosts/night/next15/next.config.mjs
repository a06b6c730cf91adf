// The application redirects paths with a slash at the end itself.
export default { skipTrailingSlashRedirect: true }
