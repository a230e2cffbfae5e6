// Where the policy asks for trusted types (xtask/src/policy.rs): scripts and
// workers come from where the page is, whoever starts them. The page and the
// guide load this before their own scripts.
globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL(address) {
    const { origin } = new URL(address, document.baseURI);
    if (origin !== location.origin) throw new TypeError(`a script from ${origin}`);
    return address;
  },
});
