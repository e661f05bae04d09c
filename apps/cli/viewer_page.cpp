#include "viewer_page.h"

#include "page/page_assets.h"

namespace taut::cli {

Result<ViewerPage> viewer_page()
{
    const PageAsset* const html = find_page_asset("index.html");
    const PageAsset* const script = find_page_asset("viewer.js");
    const PageAsset* const style = find_page_asset("viewer.css");
    if (!html || !script || !style)
        return Error{
            "this taut was built without the viewer, whose page is required (npm or the Boost "
            "headers "
            "were missing, or TAUT_VIEWER was off)"};
    return ViewerPage{html->content, script->content, style->content};
}

}  // namespace taut::cli
