use gloo_net::http::{Request, Response};

/// Gets a file of the page. An answer that reports an error is an error.
pub(crate) async fn fetch(path: &str) -> Result<Response, gloo_net::Error> {
    let response = Request::get(path).send().await?;
    if response.ok() {
        Ok(response)
    } else {
        let status = response.status();
        Err(gloo_net::Error::GlooError(format!("{status} for {path}")))
    }
}
