use gloo_net::http::{Request, Response};

/// Fetches a file of the site; HTTP error statuses are errors.
pub(crate) async fn fetch(path: &str) -> Result<Response, gloo_net::Error> {
    let response = Request::get(path).send().await?;
    if response.ok() {
        Ok(response)
    } else {
        let status = response.status();
        Err(gloo_net::Error::GlooError(format!("{status} for {path}")))
    }
}
