// Trusted Types policy (xtask/src/policy.rs): allows only scripts and workers
// from the page's own origin. Loaded before all other scripts of the page and
// the guide.
globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL(address) {
    const { origin } = new URL(address, document.baseURI);
    if (origin !== location.origin) throw new TypeError(`a script from ${origin}`);
    return address;
  },
});
